"""Predicts how many rented bicycles leave a station in an hour.

The hour of the day goes in as an embedding, temperature, rain and wind as standardised numbers. The
counts are small whole numbers, so the loss is that of a Poisson distribution.
"""

import keras
import numpy as np
from keras import layers


def count_rides(hours, rng):
    """Hour of the day, weather, and the number of rides for ``hours`` hours."""
    hour = rng.integers(24, size=hours)
    weather = rng.normal(size=(hours, 3)).astype("float32")
    temperature, rain, wind = weather.T
    commuters = np.exp(-(((hour - 8) / 2.0) ** 2)) + np.exp(-(((hour - 17) / 2.5) ** 2))
    expected = np.exp(-2.2 + 2.6 * commuters + 0.3 * temperature - 0.2 * rain - 0.1 * wind)
    return hour[:, None], weather, rng.poisson(expected)[:, None].astype("float32")


def build_model():
    hour = keras.Input(shape=(1,), dtype="int32")
    weather = keras.Input(shape=(3,))
    x = layers.Flatten()(layers.Embedding(24, 6)(hour))
    x = layers.Concatenate()([x, weather])
    x = layers.Dense(32, activation="relu")(x)
    x = layers.Dense(16, activation="relu")(x)
    rides = layers.Dense(1)(x)
    model = keras.Model([hour, weather], rides)
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.005), loss="poisson", metrics=["mae"]
    )
    return model


def train(seed=0, epochs=12, verbose=0):
    """Trains on 2000 hours; returns the model and the history of its training."""
    keras.utils.set_random_seed(seed)
    hour, weather, rides = count_rides(2000, np.random.default_rng(seed))
    model = build_model()
    history = model.fit([hour, weather], rides, batch_size=100, epochs=epochs, verbose=verbose)
    return model, history.history


def main():
    model, _ = train(verbose=2)
    print("hour   rides on a mild, dry day")
    for hour in (3, 8, 12, 17, 22):
        rides = model([np.array([[hour]]), np.zeros((1, 3), "float32")])
        print("%4d   %.1f" % (hour, np.asarray(rides).item()))


if __name__ == "__main__":
    main()
