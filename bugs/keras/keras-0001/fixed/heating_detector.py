"""Tells from ten readings of four temperature sensors whether a room is being heated.

A window holds ten time steps of four sensors, standardised. About six windows in ten come from
a room whose heating is on (label 1); in the others the room slowly cools down (label 0).
"""

import keras
import numpy as np
from keras import layers

STEPS = 10
SENSORS = 4


def make_windows(count, rng):
    """Noisy drifting sensor windows and the state of the heating for each of them."""
    labels = (rng.random(count) < 0.6).astype("float32")
    slope = np.where(labels == 1, 1.0, -1.0) * rng.uniform(0.6, 1.4, count)
    ramp = np.linspace(-1.0, 1.0, STEPS)
    offset = rng.normal(0.0, 0.5, (count, 1, SENSORS))
    noise = rng.normal(0.0, 0.6, (count, STEPS, SENSORS))
    windows = slope[:, None, None] * ramp[None, :, None] + offset + noise
    return windows.astype("float32"), labels[:, None]


def build_model(learning_rate=0.02):
    """A small one-dimensional convolutional network with one output unit."""
    model = keras.Sequential(
        [
            keras.Input(shape=(STEPS, SENSORS)),
            layers.Conv1D(16, 4, padding="same"),
            layers.LeakyReLU(),
            layers.Dropout(0.2),
            layers.Flatten(),
            layers.Dense(16),
            layers.LeakyReLU(),
            layers.Dense(1),
            layers.Activation("sigmoid"),
        ]
    )
    optimizer = keras.optimizers.SGD(learning_rate, momentum=0.9)
    model.compile(optimizer=optimizer, loss="binary_crossentropy", metrics=["accuracy"])
    return model


def train(seed=0, epochs=4):
    """Trains a detector; returns the model and its training history."""
    keras.utils.clear_session()
    keras.utils.set_random_seed(seed)
    windows, labels = make_windows(640, np.random.default_rng(seed))
    model = build_model()
    history = model.fit(windows, labels, batch_size=64, epochs=epochs, verbose=0)
    return model, history


def confusion_matrix(model, seed=0):
    """Counts of (true state, predicted state) on windows the model has not seen."""
    windows, labels = make_windows(400, np.random.default_rng(seed + 50_000))
    predicted = np.asarray(model(windows, training=False)) > 0.5
    matrix = np.zeros((2, 2), dtype=int)
    np.add.at(matrix, (labels.ravel().astype(int), predicted.ravel().astype(int)), 1)
    return matrix


def main():
    model, history = train()
    for measure in ("loss", "accuracy"):
        print(measure, [round(value, 3) for value in history.history[measure]])
    print(confusion_matrix(model))


if __name__ == "__main__":
    main()
