"""Sentences of word indices, convolved."""

from __future__ import print_function

import numpy as np
from keras.layers import Activation, Dense, Dropout, Embedding
from keras.layers import Convolution1D, GlobalMaxPooling1D
from keras.models import Sequential

np.random.seed(1337)
max_features = 200
maxlen = 20
X_train = np.random.randint(0, max_features, (128, maxlen))
y_train = (X_train.mean(axis=1) > 100).astype(int)

model = Sequential()
model.add(Embedding(max_features, 16, input_length=maxlen, dropout=0.2))
model.add(Convolution1D(nb_filter=24, filter_length=3, border_mode="valid", activation="relu", subsample_length=1))
model.add(GlobalMaxPooling1D())
model.add(Dense(16))
model.add(Dropout(0.2))
model.add(Activation("relu"))
model.add(Dense(1))
model.add(Activation("sigmoid"))
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(X_train, y_train, batch_size=32, nb_epoch=2, validation_split=0.2)
