import keras
import numpy as np


def build(shape):
    model = keras.Sequential([keras.Input(shape=shape), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model


readings = np.ones((40, 6), "float32")
network = build(readings.shape)
network.fit(readings, np.ones((40, 1)), verbose=0)
