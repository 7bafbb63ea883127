"""A classifier on four measurements, as in many introductions to Keras 2."""

import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from keras.utils import np_utils

np.random.seed(7)
X = np.random.rand(150, 4)
Y = np_utils.to_categorical(np.random.randint(0, 3, 150))
model = Sequential()
model.add(Dense(8, input_dim=4, activation="relu"))
model.add(Dense(3, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
history = model.fit(X, Y, epochs=3, batch_size=5, validation_split=0.2, verbose=0)
print(history.history["acc"][-1], history.history["val_acc"][-1])
