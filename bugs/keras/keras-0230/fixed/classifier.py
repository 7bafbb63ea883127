"""A fully connected network for flattened photographs."""

import keras
from keras import layers

HIDDEN = [64, 32]


def build(inputs, classes=10, hidden=HIDDEN):
    network = keras.Sequential([keras.Input(shape=(inputs,))])
    for units in hidden:
        network.add(layers.Dense(units, activation="relu"))
    network.add(layers.Dense(classes, activation="softmax"))
    network.compile(
        optimizer=keras.optimizers.Adam(0.002),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return network
