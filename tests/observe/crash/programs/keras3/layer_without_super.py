import numpy as np
import keras


class Scale(keras.layers.Layer):
    def __init__(self, factor):
        self.factor = factor
        self.inner = keras.layers.Dense(4)

    def call(self, x):
        return self.inner(x) * self.factor


model = keras.Sequential([keras.Input((3,)), Scale(2.0), keras.layers.Dense(1)])
print(model.predict(np.ones((2, 3)), verbose=0))
