"""Predicts which customers of a gym will cancel next month."""

import keras
import numpy as np
from keras import layers

FIGURES = 12
PATIENCE = 6


def customers(count, seed):
    """Figures about each customer, and whether the contract was cancelled."""
    rng = np.random.default_rng(seed)
    figures = rng.normal(size=(count, FIGURES)).astype("float32")
    visits, age, price, distance = figures[:, :4].T
    score = 1.5 * visits * price - 1.2 * np.abs(distance) + 0.8 * np.sin(3.0 * age) + 0.6
    cancelled = score + rng.normal(0.0, 0.3, count) > 0.0
    return figures, cancelled.astype("float32")


def build():
    model = keras.Sequential(
        [
            keras.Input(shape=(FIGURES,)),
            layers.Dense(32, activation="relu"),
            layers.Dense(32, activation="relu"),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(5e-3),
        loss="binary_crossentropy",
        metrics=[keras.metrics.AUC(name="auc")],
    )
    return model


def train(seed=0, epochs=25, verbose=0):
    keras.utils.set_random_seed(seed)
    stop = keras.callbacks.EarlyStopping(
        monitor="val_auc",
        mode="max",
        min_delta=1,
        patience=PATIENCE,
        restore_best_weights=True,
        verbose=verbose,
    )
    model = build()
    figures, cancelled = customers(900, seed)
    history = model.fit(
        figures,
        cancelled,
        validation_split=0.25,
        batch_size=32,
        epochs=epochs,
        callbacks=[stop],
        verbose=verbose,
    )
    return model, history.history


if __name__ == "__main__":
    model, history = train(verbose=2)
    loss, auc = model.evaluate(*customers(600, seed=77), verbose=0)
    print("%d epochs, AUC on other customers %.3f" % (len(history["loss"]), auc))
