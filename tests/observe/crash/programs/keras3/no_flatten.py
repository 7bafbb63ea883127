import numpy as np
import keras
from keras import layers

images = np.random.rand(16, 10, 10, 3).astype("float32")
labels = np.random.randint(0, 2, 16).reshape(-1, 1).astype("float32")
inputs = keras.Input((10, 10, 3))
x = layers.Conv2D(4, 3, activation="relu")(inputs)
outputs = layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, outputs)
model.compile("adam", "binary_crossentropy")
model.fit(images, labels, verbose=0)
