"""A small convolutional network in the style of the examples."""

import numpy as np
from keras.layers import Activation, Convolution2D, Dense, Flatten, MaxPooling2D
from keras.models import Sequential

nb_filters, pool_size, kernel_size = 8, (2, 2), (3, 3)
X = np.random.rand(64, 28, 28, 1)
Y = np.eye(10)[np.random.randint(0, 10, 64)]

model = Sequential()
model.add(Convolution2D(nb_filters, kernel_size[0], kernel_size[1], border_mode="valid", input_shape=(28, 28, 1)))
model.add(Activation("relu"))
model.add(Convolution2D(nb_filters, kernel_size[0], kernel_size[1]))
model.add(Activation("relu"))
model.add(MaxPooling2D(pool_size=pool_size))
model.add(Flatten())
model.add(Dense(10))
model.add(Activation("softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adadelta", metrics=["accuracy"])
model.fit(X, Y, batch_size=16, nb_epoch=1)
score = model.evaluate(X, Y, verbose=0)
print("Test score:", score[0])
