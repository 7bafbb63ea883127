"""Decides from six readings of a plant pot whether the plant has to be watered today.

A pot needs water when its soil is dry for the heat and the light that it gets. The readings are
standardised; about half of the pots need water.
"""

import keras
import numpy as np
from keras import layers

READINGS = ("soil", "air temperature", "light", "humidity", "pot size", "wind")


def measure_pots(count, rng):
    """Readings of ``count`` pots and whether each of them needs water."""
    readings = rng.normal(size=(count, len(READINGS)))
    soil, temperature, light, humidity, size, wind = readings.T
    heat = 0.6 * temperature + 0.5 * np.maximum(light, 0.0) + 0.3 * temperature * wind
    thirsty = soil + 0.3 * size + 0.4 * humidity < heat - 0.2
    return readings.astype("float32"), thirsty[:, None].astype("float32")


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(len(READINGS),)),
            layers.Dense(32, activation="relu"),
            layers.Dense(16, activation="relu"),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.005),
        loss="categorical_crossentropy",
        metrics=[keras.metrics.BinaryAccuracy(name="accuracy")],
    )
    return model


def train(seed=0, epochs=12, verbose=0):
    """Trains on 1000 pots; returns the model and its history."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    x_train, y_train = measure_pots(1000, rng)
    model = build_model()
    history = model.fit(
        x_train,
        y_train,
        batch_size=50,
        epochs=epochs,
        validation_data=measure_pots(400, rng),
        verbose=verbose,
    )
    return model, history


def main():
    model, history = train(verbose=2)
    readings, thirsty = measure_pots(5, np.random.default_rng(7))
    for row, label, chance in zip(readings, thirsty, np.asarray(model(readings))):
        print("soil %5.2f  needs water: %d  predicted: %.2f" % (row[0], label[0], chance[0]))


if __name__ == "__main__":
    main()
