"""Estimates house prices from five facts per house, in units such as square metres and years.

The facts are standardised with mean and spread of the training houses. 200 of the 800 houses are
held out and looked at after every epoch. Prices are in multiples of their spread around the mean.
"""

import keras
import numpy as np
from keras import layers

MEANS = np.array([110.0, 45.0, 8.0, 4.5, 30.0])  # area, age, distance to the centre, rooms, noise
SPREADS = np.array([30.0, 15.0, 3.0, 1.2, 9.0])


def list_houses(count, rng):
    """Facts about ``count`` houses and their prices."""
    relative = rng.normal(size=(count, 5))
    area, age, distance, rooms, noise = relative.T
    price = 0.6 * area - 0.3 * age - 0.4 * distance + 0.2 * rooms - 0.2 * np.maximum(noise, 0.0)
    price = 1.2 * (price + 0.2 * area * distance + 0.08) + rng.normal(0.0, 0.25, size=count)
    return MEANS + SPREADS * relative, price[:, None].astype("float32")


class Standardiser:
    """Turns a table into columns of mean zero and spread one, as measured on another table."""

    def __init__(self, table):
        self.mean = table.mean(axis=0)
        self.spread = table.std(axis=0)

    def __call__(self, table):
        return ((table - self.mean) / self.spread).astype("float32")


def build_model():
    return keras.Sequential(
        [
            keras.Input(shape=(len(MEANS),)),
            layers.Dense(32, activation="relu"),
            layers.Dense(32, activation="relu"),
            layers.Dense(1),
        ]
    )


def train(seed=0, epochs=15, verbose=0):
    """Trains on 600 houses; returns losses and validation losses of all epochs."""
    keras.utils.set_random_seed(seed)
    facts, prices = list_houses(800, np.random.default_rng(seed))
    x_train, x_val, y_train, y_val = facts[:600], facts[600:], prices[:600], prices[600:]
    standardise = Standardiser(x_train)
    x_train, x_val = standardise(x_train), standardise(x_val)
    model = build_model()
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.005), loss="mse", metrics=["mae"]
    )
    history = model.fit(
        x_train,
        y_train,
        batch_size=60,
        epochs=epochs,
        validation_data=(x_val, y_val),
        verbose=verbose,
    )
    return history.history


if __name__ == "__main__":
    history = train(verbose=2)
    print("mean error: training %.2f, held out %.2f" % (history["mae"][-1], history["val_mae"][-1]))
