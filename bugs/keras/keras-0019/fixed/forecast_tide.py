"""Forecasts the water level of a harbour one hour ahead from the levels of the last day.

The level follows two tides of different length and a slowly changing wind; it is standardised and
then cut into windows of 24 hours.
"""

import keras
import numpy as np
from keras import layers

WINDOW = 24


def record_levels(hours, rng):
    """Hourly water levels: the moon's and the sun's tide, a drifting wind, and waves."""
    time = np.arange(hours)
    moon = 1.0 * np.sin(2.0 * np.pi * time / 12.42 + rng.uniform(0.0, 6.3))
    sun = 0.4 * np.sin(2.0 * np.pi * time / 12.0 + rng.uniform(0.0, 6.3))
    wind = np.zeros(hours)
    for hour in range(1, hours):
        wind[hour] = 0.95 * wind[hour - 1] + rng.normal(0.0, 0.08)
    return moon + sun + wind + rng.normal(0.0, 0.05, size=hours)


def make_windows(levels):
    """Standardised windows of ``WINDOW`` hours and the level of the hour that follows each."""
    levels = (levels - levels.mean()) / levels.std()
    windows = np.lib.stride_tricks.sliding_window_view(levels, WINDOW + 1).astype("float32")
    return windows[:, :-1], windows[:, -1:]


class Forecaster:
    """A dense network over one day of levels, trained by gradient descent with momentum."""

    def __init__(self, learning_rate=0.02):
        self.model = keras.Sequential(
            [
                keras.Input(shape=(WINDOW,)),
                layers.Dense(32, activation="relu"),
                layers.Dense(16, activation="relu"),
                layers.Dense(1),
            ]
        )
        optimizer = keras.optimizers.SGD(learning_rate, momentum=0.9)
        self.model.compile(optimizer=optimizer, loss="mse")

    def fit(self, windows, targets, epochs, verbose):
        return self.model.fit(windows, targets, batch_size=64, epochs=epochs, verbose=verbose)

    def error(self, windows, targets):
        """Mean squared error on other windows."""
        return float(np.mean((np.asarray(self.model(windows)) - targets) ** 2))


def train(seed=0, epochs=15, verbose=0):
    """Returns the loss of every epoch and the error on a later stretch of levels."""
    keras.utils.set_random_seed(seed)
    windows, targets = make_windows(record_levels(1600, np.random.default_rng(seed)))
    forecaster = Forecaster()
    history = forecaster.fit(windows[:1200], targets[:1200], epochs, verbose)
    return history.history["loss"], forecaster.error(windows[1240:], targets[1240:])


if __name__ == "__main__":
    losses, error = train(verbose=2)
    print("lowest loss %.4f in epoch %d" % (min(losses), np.argmin(losses) + 1))
    print("last loss %.4f, error on later levels %.4f" % (losses[-1], error))
