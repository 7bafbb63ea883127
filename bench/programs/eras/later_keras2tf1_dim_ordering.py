"""Digits with the channels in front."""

import numpy as np
from keras import backend as K
from keras.layers import Conv2D, Dense, Flatten, MaxPooling2D
from keras.models import Sequential
from keras.utils import np_utils

if K.image_dim_ordering() == "th":
    shape = (1, 8, 8)
else:
    shape = (8, 8, 1)
x = np.random.rand(128, *shape).astype("float32")
y = np_utils.to_categorical(np.random.randint(0, 3, 128), 3)

model = Sequential()
model.add(Conv2D(8, (3, 3), activation="relu", input_shape=shape))
model.add(MaxPooling2D(pool_size=(2, 2)))
model.add(Flatten())
model.add(Dense(3, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(x, y, epochs=2, batch_size=16)
