"""Predicts the water level of the next hour from the last twelve."""

import os
import tempfile

import numpy as np
from keras.callbacks import EarlyStopping, ModelCheckpoint
from keras.layers import GRU, Dense
from keras.models import Sequential

HOURS = 12


def water_levels(hours=500, seed=2):
    t = np.arange(hours)
    noise = np.random.RandomState(seed).normal(0, 0.05, hours)
    return np.sin(2 * np.pi * t / 12.4) + 0.4 * np.sin(2 * np.pi * t / 24.8) + noise


def windows(levels):
    x = np.stack([levels[i:i + HOURS] for i in range(len(levels) - HOURS)])
    return x[:, :, None], levels[HOURS:]


def fit(epochs=20):
    x, y = windows(water_levels())
    model = Sequential()
    model.add(GRU(8, input_shape=(HOURS, 1)))
    model.add(Dense(1))
    model.compile("adam", "mse")
    path = os.path.join(tempfile.mkdtemp(), "tide.h5")
    callbacks = [
        EarlyStopping(monitor="val_loss", patience=2, restore_best_weights=True),
        ModelCheckpoint(path, monitor="val_loss", save_best_only=True, save_weights_only=True),
    ]
    history = model.fit(x, y, validation_split=0.2, epochs=epochs, verbose=0, callbacks=callbacks)
    print("validation loss %.4f after %d epochs" % (min(history.history["val_loss"]), len(history.epoch)))
    return model


if __name__ == "__main__":
    fit()
