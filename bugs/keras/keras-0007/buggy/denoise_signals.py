"""Trains a small autoencoder that removes noise from one-dimensional signals.

Pairs of noisy and clean signals are made batch by batch, so the whole training set never has to
be in memory.
"""

import keras
import numpy as np
from keras import layers

LENGTH = 32


class SignalBatches(keras.utils.PyDataset):
    """Batches of (noisy, clean) sine waves of random frequency and phase."""

    def __init__(self, batches, batch_size, seed, **kwargs):
        super().__init__(**kwargs)
        self.batches = batches
        self.batch_size = batch_size
        self.seed = seed

    def __len__(self):
        return self.batches

    def __getitem__(self, index):
        rng = np.random.default_rng([self.seed, index])
        frequency = rng.uniform(0.5, 2.0, (self.batch_size, 1))
        phase = rng.uniform(0.0, 2.0 * np.pi, (self.batch_size, 1))
        clean = np.sin(2.0 * np.pi * frequency * np.linspace(0.0, 1.0, LENGTH) + phase)
        noisy = clean + rng.normal(0.0, 0.4, clean.shape)
        return noisy.astype("float32"), clean.astype("float32")


def build_model():
    """A dense autoencoder with a narrow middle."""
    signal = keras.Input(shape=(LENGTH,))
    code = layers.Dense(24, activation="relu")(signal)
    code = layers.Dense(8)(code)
    restored = layers.Dense(24, activation="relu")(code)
    restored = layers.Dense(LENGTH)(restored)
    model = keras.Model(signal, restored)
    model.compile(optimizer=keras.optimizers.SGD(0.5, momentum=0.9), loss="mse")
    return model


def train(epochs=4):
    """Trains on generated batches; returns the model."""
    model = build_model()
    training = SignalBatches(batches=40, batch_size=32, seed=1)
    validation = SignalBatches(batches=4, batch_size=32, seed=2)
    model.fit_generator(training, epochs=epochs, validation_data=validation, verbose=2)
    return model


def main():
    keras.utils.set_random_seed(0)
    model = train()
    noisy, clean = SignalBatches(batches=1, batch_size=200, seed=3)[0]
    restored = np.asarray(model(noisy, training=False))
    print("mean squared error before: %.3f" % np.mean((noisy - clean) ** 2))
    print("mean squared error after: %.3f" % np.mean((restored - clean) ** 2))


if __name__ == "__main__":
    main()
