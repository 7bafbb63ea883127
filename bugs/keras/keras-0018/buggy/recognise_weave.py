"""Recognises the weave of fabric samples from small grey pictures.

Each sample is a picture of 8 x 8 pixels that shows one of five weaves, blurred by noise. The
network is a stack of dense layers that grow from 8 to 128 units.
"""

import keras
import numpy as np
from keras import layers

WEAVES = ("horizontal", "vertical", "diagonal", "checked", "bordered")
SIZE = 8


def weave_patterns():
    """One clean picture per weave, with values -1 and 1."""
    row, column = np.mgrid[0:SIZE, 0:SIZE]
    border = (row == 0) | (row == SIZE - 1) | (column == 0) | (column == SIZE - 1)
    bright = [
        row // 2 % 2 == 0,
        column // 2 % 2 == 0,
        (row + column) // 2 % 2 == 0,
        (row // 2 + column // 2) % 2 == 0,
        border,
    ]
    return np.where(bright, 1.0, -1.0)


def photograph(count, rng):
    """Noisy pictures of randomly chosen fabrics as vectors, and the number of each weave."""
    labels = rng.integers(len(WEAVES), size=count)
    contrast = rng.uniform(0.6, 1.2, size=(count, 1, 1))
    pictures = contrast * weave_patterns()[labels] + rng.normal(0.0, 1.0, size=(count, SIZE, SIZE))
    return pictures.reshape(count, SIZE * SIZE).astype("float32"), labels


def build_model(activation="sigmoid"):
    """Five hidden layers and one probability per weave."""
    model = keras.Sequential([keras.Input(shape=(SIZE * SIZE,))])
    for units in (8, 16, 32, 64, 128):
        model.add(layers.Dense(units, activation=activation))
    model.add(layers.Dense(len(WEAVES), activation="softmax"))
    model.compile(
        optimizer=keras.optimizers.SGD(learning_rate=0.03, momentum=0.9),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def train(seed=0, epochs=8, verbose=0):
    """Trains on 1200 pictures; returns the loss of each epoch and the accuracy on new ones."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    x_train, y_train = photograph(1200, rng)
    x_test, y_test = photograph(400, rng)
    model = build_model()
    history = model.fit(x_train, y_train, batch_size=60, epochs=epochs, verbose=verbose)
    _, accuracy = model.evaluate(x_test, y_test, batch_size=200, verbose=0)
    return history.history["loss"], accuracy


if __name__ == "__main__":
    _, accuracy = train(verbose=2)
    print("accuracy on new pictures: %.3f" % accuracy)
