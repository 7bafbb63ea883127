"""Tells worn bearings from sound ones by the vibration of the machine in 100 frequency bands.

Wear raises the level a little in every band, so no band alone says much. The levels are
standardised; four machines in a hundred are labelled wrongly by the inspectors.
"""

import keras
import numpy as np
from keras import layers

BANDS = 100
DROPOUT = 0.05


def inspect_machines(count, rng):
    """Band levels of ``count`` machines and the inspectors' verdict, 1 for a worn bearing."""
    worn = rng.random(count) < 0.5
    levels = np.where(worn, 0.2, -0.2)[:, None] + rng.normal(size=(count, BANDS))
    verdict = np.where(rng.random(count) < 0.04, ~worn, worn)
    return levels.astype("float32"), verdict[:, None].astype("float32")


def build_model():
    """A dense network with dropout on the levels and on both hidden layers."""
    inputs = keras.Input(shape=(BANDS,))
    x = layers.Dropout(DROPOUT)(inputs)
    x = layers.Dense(64, activation="relu")(x)
    x = layers.Dropout(DROPOUT)(x)
    x = layers.Dense(32, activation="relu")(x)
    x = layers.Dropout(DROPOUT)(x)
    outputs = layers.Dense(1, activation="sigmoid")(x)
    model = keras.Model(inputs, outputs)
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.01),
        loss="binary_crossentropy",
        metrics=["accuracy"],
    )
    return model


def train(seed=0, epochs=12, verbose=0):
    """Trains on 600 machines and validates on 400 others after every epoch."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    levels, verdict = inspect_machines(600, rng)
    history = build_model().fit(
        levels,
        verdict,
        batch_size=20,
        epochs=epochs,
        validation_data=inspect_machines(400, rng),
        validation_batch_size=200,
        verbose=verbose,
    )
    return history.history


if __name__ == "__main__":
    history = train(verbose=2)
    for measure in ("loss", "val_loss"):
        print(measure, " ".join("%.2f" % value for value in history[measure]))
