"""Images from a generator, fed by the method that fit has replaced."""

import numpy as np
from tensorflow.keras import layers, models
from tensorflow.keras.preprocessing.image import ImageDataGenerator

model = models.Sequential()
model.add(layers.Conv2D(4, (3, 3), activation="relu", input_shape=(12, 12, 1)))
model.add(layers.Flatten())
model.add(layers.Dense(3, activation="softmax"))
model.compile(optimizer="rmsprop", loss="sparse_categorical_crossentropy", metrics=["acc"])
x, y = np.random.rand(30, 12, 12, 1), np.random.randint(0, 3, 30)
flow = ImageDataGenerator(rotation_range=0).flow(x, y, batch_size=6)
model.fit_generator(flow, steps_per_epoch=5, epochs=1)
