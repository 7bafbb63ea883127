"""Weights kept small by regularizers."""

import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from keras.regularizers import activity_l2, l2

x = np.random.randn(150, 10)
y = (x[:, 0] > 0).astype("int32")
model = Sequential()
model.add(Dense(20, input_dim=10, W_regularizer=l2(0.01), activity_regularizer=activity_l2(0.01), activation="tanh"))
model.add(Dense(1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer="sgd", class_mode="binary")
model.fit(x, y, nb_epoch=3, show_accuracy=True)
