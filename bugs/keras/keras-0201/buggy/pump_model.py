"""A small network that says how likely a pump is to fail within the week."""

import numpy as np
from keras.layers import Dense
from keras.models import Sequential


def pump_log(rows, seed):
    rng = np.random.RandomState(seed)
    readings = rng.normal(size=(rows, 4))
    fails = (readings[:, 0] + 0.5 * readings[:, 2] > 0.3).astype("float32")
    return readings, fails


def trained_model(seed=0):
    readings, fails = pump_log(200, seed)
    model = Sequential([Dense(8, activation="tanh", input_shape=(4,)), Dense(1, activation="sigmoid")])
    model.compile(optimizer="adam", loss="binary_crossentropy")
    model.fit(readings, fails, epochs=5, verbose=0)
    return model
