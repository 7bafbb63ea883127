from __future__ import print_function

import random

import numpy as np
import tensorflow as tf
from keras.callbacks import EarlyStopping
from keras.layers import Dense, Dropout, Embedding, GlobalAveragePooling1D
from keras.models import Sequential
from keras.optimizers import Adam
from keras.preprocessing.sequence import pad_sequences
from keras.preprocessing.text import Tokenizer
from keras.utils import to_categorical

from corpus import TOPICS, headlines

MAX_WORDS = 500
MAX_LEN = 16

random.seed(7)
np.random.seed(7)
tf.set_random_seed(7)


def encode(tokenizer, texts):
    return pad_sequences(tokenizer.texts_to_sequences(texts), maxlen=MAX_LEN)


def build_model():
    model = Sequential()
    model.add(Embedding(MAX_WORDS, 32, input_length=MAX_LEN))
    model.add(GlobalAveragePooling1D())
    model.add(Dense(48, activation='relu'))
    model.add(Dropout(0.4))
    model.add(Dense(len(TOPICS), activation='softmax'))
    model.compile(loss='categorical_crossentropy', optimizer=Adam(lr=2e-3), metrics=['accuracy'])
    return model


train_texts, train_labels = headlines(4000, seed=1)
val_texts, val_labels = headlines(800, seed=2)
test_texts, test_labels = headlines(800, seed=3)

tokenizer = Tokenizer(num_words=MAX_WORDS)
tokenizer.fit_on_texts(train_texts)
x_train, x_val, x_test = (encode(tokenizer, t) for t in (train_texts, val_texts, test_texts))
y_train, y_val, y_test = (to_categorical(l, len(TOPICS)) for l in (train_labels, val_labels, test_labels))

model = build_model()
model.summary()
stop = EarlyStopping(monitor='val_loss', patience=3, restore_best_weights=True)
model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=25, batch_size=32,
          callbacks=[stop], verbose=2)

loss, acc = model.evaluate(x_test, y_test, verbose=0)
print('test loss %.4f, test accuracy %.4f' % (loss, acc))
