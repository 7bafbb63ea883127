"""Compresses mineral spectra to six numbers and reports how much of them survives."""

import keras
import numpy as np

from minerals import make_spectra
from spectral_vae import VAE, reconstruction_loss


def train(epochs=25):
    spectra = make_spectra(600, seed=1)
    vae = VAE()
    vae.compile(optimizer=keras.optimizers.Adam(0.004), loss=reconstruction_loss)
    history = vae.fit(spectra, spectra, batch_size=32, epochs=epochs, verbose=0)
    print("loss", " ".join("%.3f" % loss for loss in history.history["loss"][::8]))
    return vae


def explained(vae, spectra):
    """Share of the variance of the spectra that is left after decoding."""
    error = np.square(np.asarray(vae.reconstruct(spectra)) - spectra).sum()
    return float(1.0 - error / np.square(spectra - spectra.mean(axis=0)).sum())


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    vae = train()
    print("explained variance: %.3f" % explained(vae, make_spectra(300, seed=2)))
