"""Operations and random numbers that do not depend on the backend."""

import keras
import numpy as np


class Noise(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.seed = keras.random.SeedGenerator(1)

    def call(self, x):
        return x + 0.1 * keras.random.normal(keras.ops.shape(x), seed=self.seed)


model = keras.Sequential([keras.Input((4,)), Noise(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = np.random.rand(32, 4)
model.fit(x, keras.ops.sum(x, axis=1), epochs=1)
