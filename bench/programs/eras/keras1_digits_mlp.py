"""A multilayer perceptron on 28x28 images of ten classes."""

import numpy as np
from keras.layers.core import Activation, Dense, Dropout
from keras.models import Sequential
from keras.optimizers import RMSprop
from keras.utils import np_utils

batch_size = 128
nb_classes = 10
nb_epoch = 2

X_train = np.random.rand(600, 784).astype("float32")
y_train = np.random.randint(0, nb_classes, 600)
Y_train = np_utils.to_categorical(y_train, nb_classes)

model = Sequential()
model.add(Dense(512, input_shape=(784,)))
model.add(Activation("relu"))
model.add(Dropout(0.2))
model.add(Dense(10))
model.add(Activation("softmax"))
model.compile(loss="categorical_crossentropy", optimizer=RMSprop(), metrics=["accuracy"])
history = model.fit(X_train, Y_train, batch_size=batch_size, nb_epoch=nb_epoch, verbose=1, validation_split=0.1)
