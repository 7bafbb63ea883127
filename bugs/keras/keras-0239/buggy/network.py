"""Network that tells the kind of a cell."""

import keras
from keras import layers

from cells import KINDS, SIZE


def build_network():
    return keras.Sequential(
        [
            keras.Input(shape=(SIZE, SIZE, 1)),
            layers.Flatten(),
            layers.Dense(128, activation="relu"),
            layers.Dense(64, activation="relu"),
            layers.Dense(len(KINDS), activation="softmax"),
        ]
    )
