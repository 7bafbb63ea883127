"""Identifies minerals from the light that they reflect in 24 bands of the spectrum.

Each of the four minerals swallows light around its own wavelength. The spectra are centred around
zero; a network with two hidden layers gives one score per mineral.
"""

import keras
import numpy as np
from keras import layers

MINERALS = ("quartz", "feldspar", "olivine", "pyroxene")
BANDS = 24


def measure_spectra(count, rng):
    """Noisy spectra of ``count`` samples and the number of the mineral of each."""
    minerals = rng.integers(len(MINERALS), size=count)
    centre = np.array([5.0, 9.0, 13.0, 18.0])[minerals] + rng.normal(0.0, 0.7, size=count)
    depth = rng.uniform(0.7, 1.3, size=(count, 1))
    dip = depth * np.exp(-(((np.arange(BANDS) - centre[:, None]) / 2.5) ** 2))
    spectra = 0.3 - dip + rng.normal(0.0, 0.3, size=(count, BANDS))
    return spectra.astype("float32"), minerals


class MineralNet:
    """The network, and a second view of it that ends at its last hidden layer."""

    def __init__(self):
        inputs = keras.Input(shape=(BANDS,))
        x = layers.Dense(32, activation="relu", kernel_initializer="he_normal")(inputs)
        x = layers.Dense(16, activation="relu", kernel_initializer="zeros")(x)
        outputs = layers.Dense(len(MINERALS), activation="softmax")(x)
        self.model = keras.Model(inputs, outputs)
        self.hidden = keras.Model(inputs, x)
        self.model.compile(
            optimizer=keras.optimizers.Adam(learning_rate=0.005),
            loss="sparse_categorical_crossentropy",
            metrics=["accuracy"],
        )

    def fit(self, spectra, minerals, epochs, verbose):
        return self.model.fit(spectra, minerals, batch_size=50, epochs=epochs, verbose=verbose)

    def active_units(self, spectra):
        """How many units of the last hidden layer answer to at least one spectrum."""
        return int((np.asarray(self.hidden(spectra)) > 0.0).any(axis=0).sum())

    def accuracy(self, spectra, minerals):
        return float((np.asarray(self.model(spectra)).argmax(axis=1) == minerals).mean())


def train(seed=0, epochs=10, verbose=0):
    """Trains on 1000 spectra; returns the network and 300 spectra to examine it with."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    network = MineralNet()
    network.fit(*measure_spectra(1000, rng), epochs, verbose)
    return network, measure_spectra(300, rng)


def main():
    network, (spectra, minerals) = train(verbose=2)
    print("active units in the last hidden layer: %d of 16" % network.active_units(spectra))
    print("accuracy on new spectra: %.3f" % network.accuracy(spectra, minerals))


if __name__ == "__main__":
    main()
