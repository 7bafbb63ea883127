"""Removes noise from small scans with a residual convolutional network.

The weights of the epoch with the lowest validation loss are written to the folder of the model.
"""

import os
import tempfile

import keras
import numpy as np
from keras import layers

SIDE = 16

CONFIG = {
    "train_epochs": 3,
    "train_batch_size": 16,
    "train_learning_rate": 0.004,
    "train_checkpoint": "best.weights.h5",
    "unet_n_first": 12,
}


def make_scans(count, seed=0):
    """Noisy scans and the clean ones."""
    rng = np.random.default_rng(seed)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    a, b, shift = rng.uniform(0.5, 2.0, (3, count, 1, 1))
    clean = np.sin(2.0 * np.pi * (a * rows + b * columns) + shift)
    noisy = clean + rng.normal(0.0, 0.5, clean.shape)
    return noisy[..., None].astype("float32"), clean[..., None].astype("float32")


class Denoiser:
    """A network with its configuration and the folder that it writes to."""

    def __init__(self, config, folder):
        self.config = config
        self.folder = folder
        self.model = self._build()
        self.callbacks = []

    def _build(self):
        scan = keras.Input(shape=(SIDE, SIDE, 1))
        x = layers.Conv2D(self.config["unet_n_first"], 3, padding="same", activation="relu")(scan)
        x = layers.Conv2D(self.config["unet_n_first"], 3, padding="same", activation="relu")(x)
        noise = layers.Conv2D(1, 3, padding="same")(x)
        return keras.Model(scan, layers.Subtract()([scan, noise]))

    def prepare_for_training(self):
        optimizer = keras.optimizers.Adam(self.config["train_learning_rate"])
        self.model.compile(optimizer=optimizer, loss="mse")
        checkpoint = os.path.join(self.folder, self.config["train_checkpoint"])
        self.callbacks.append(
            keras.callbacks.ModelCheckpoint(checkpoint, save_best_only=True, save_weights_only=True)
        )

    def train(self, noisy, clean, validation):
        self.prepare_for_training()
        history = self.model.fit(
            noisy,
            clean,
            validation_data=validation,
            epochs=self.config["train_epochs"],
            batch_size=self.config["train_batch_size"],
            callbacks=self.callbacks,
            verbose=0,
        )
        self.model.load_weights(os.path.join(self.folder, self.config["train_checkpoint"]))
        return history.history


def main():
    keras.utils.set_random_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        denoiser = Denoiser(CONFIG, folder)
        history = denoiser.train(*make_scans(96), validation=make_scans(32, seed=1))
    print("validation loss:", [round(loss, 3) for loss in history["val_loss"]])


if __name__ == "__main__":
    main()
