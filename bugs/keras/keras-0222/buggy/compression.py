"""The autoencoder that stores a reading as a short code."""

import keras
from keras import layers

from pump_station import SENSORS


def build_autoencoder():
    autoencoder = keras.Sequential(
        [
            keras.Input(shape=(SENSORS,)),
            layers.Dense(32, activation="relu"),
            layers.Dense(24, name="code"),
            layers.Dense(32, activation="relu"),
            layers.Dense(SENSORS),
        ]
    )
    autoencoder.compile(optimizer=keras.optimizers.Adam(4e-3), loss="mse")
    return autoencoder
