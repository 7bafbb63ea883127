"""Looks for unusual vibration of a pump: an autoencoder learns what normal windows look like."""

import keras
import numpy as np
from keras import layers

WINDOW = 10
SENSORS = 3
CODE_SIZE = 12


def normal_windows(count, rng):
    """Windows of a running pump: a common oscillation, seen by three sensors with different delay."""
    start = rng.uniform(0.0, 2.0 * np.pi, (count, 1, 1))
    steps = np.arange(WINDOW)[None, :, None] * 0.6
    delay = np.array([0.0, 0.4, 0.9])[None, None, :]
    return (np.sin(start + steps + delay) + rng.normal(0.0, 0.05, (count, WINDOW, SENSORS))).astype("float32")


def worn_windows(count, rng):
    """The same with a bearing that knocks now and then."""
    windows = normal_windows(count, rng)
    knock = rng.integers(0, WINDOW, count)
    windows[np.arange(count), knock] += rng.choice([-1.5, 1.5], (count, 1))
    return windows


def build_autoencoder():
    model = keras.Sequential(name="vibration")
    model.add(keras.Input(shape=(WINDOW, SENSORS)))
    model.add(layers.LSTM(CODE_SIZE))
    model.add(layers.RepeatVector(WINDOW))
    model.add(layers.LSTM(CODE_SIZE, return_sequences=True))
    model.add(layers.Dense(SENSORS))
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
    return model


def errors(model, windows):
    restored = model.predict(windows, verbose=0)
    return ((restored - windows) ** 2).mean(axis=(1, 2))


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    model = build_autoencoder()
    windows = normal_windows(200, rng)
    model.fit(windows, windows, batch_size=20, epochs=10, verbose=0)
    print("error of normal windows: %.3f" % errors(model, normal_windows(40, rng)).mean())
    print("error of worn windows:   %.3f" % errors(model, worn_windows(40, rng)).mean())


if __name__ == "__main__":
    main()
