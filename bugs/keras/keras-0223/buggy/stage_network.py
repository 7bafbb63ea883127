"""The network that reads one recording."""

import keras
from keras import layers

from recordings import STAGES, STEPS


def build_network():
    network = keras.Sequential(
        [
            keras.Input(shape=(STEPS, 1)),
            layers.LSTM(24),
            layers.Dense(24, activation="relu"),
            layers.Dense(STAGES, activation="softmax"),
        ]
    )
    network.compile(
        optimizer=keras.optimizers.Adam(3e-3),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return network
