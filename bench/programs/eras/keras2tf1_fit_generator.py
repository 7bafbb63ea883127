"""Images from a generator, with the argument names of Keras 2."""

import numpy as np
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator

x = np.random.rand(40, 16, 16, 3)
y = np.random.randint(0, 2, 40)
model = Sequential()
model.add(Conv2D(4, (3, 3), activation="relu", input_shape=(16, 16, 3)))
model.add(Flatten())
model.add(Dense(1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer="rmsprop", metrics=["acc"])
generator = ImageDataGenerator(rescale=1.0, horizontal_flip=True)
model.fit_generator(generator.flow(x, y, batch_size=8), steps_per_epoch=5, epochs=1, workers=1)
