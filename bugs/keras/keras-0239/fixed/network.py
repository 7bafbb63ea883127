"""Network that tells the kind of a cell."""

import keras
from keras import layers

from cells import KINDS, SIZE


def build_network():
    return keras.Sequential(
        [
            keras.Input(shape=(SIZE, SIZE, 1)),
            layers.Conv2D(16, 5, activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(32, 5, activation="relu"),
            layers.GlobalMaxPooling2D(),
            layers.Dense(len(KINDS), activation="softmax"),
        ]
    )
