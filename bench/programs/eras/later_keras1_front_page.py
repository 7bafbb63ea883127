"""A network as the first page of the documentation had it."""

import numpy as np
from keras.layers import Activation, Dense
from keras.models import Sequential
from keras.optimizers import SGD

model = Sequential()
model.add(Dense(output_dim=64, input_dim=100))
model.add(Activation("relu"))
model.add(Dense(output_dim=10))
model.add(Activation("softmax"))
model.compile(loss="categorical_crossentropy", optimizer=SGD(lr=0.01, momentum=0.9, nesterov=True))

X_train = np.random.rand(320, 100)
Y_train = np.eye(10)[np.random.randint(0, 10, 320)]
model.fit(X_train, Y_train, batch_size=32)
loss = model.evaluate(X_train, Y_train, batch_size=32)
classes = model.predict_classes(X_train, batch_size=32)
