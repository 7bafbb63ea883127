"""Spectra of powdered minerals: a few peaks whose places and heights depend on the mixture."""

import numpy as np

CHANNELS = 96


def make_spectra(count, seed):
    rng = np.random.default_rng(seed)
    channel = np.arange(CHANNELS)
    spectra = np.zeros((count, CHANNELS))
    for place, width in ((18, 3.0), (40, 4.0), (71, 3.5)):
        height = rng.uniform(0.1, 0.9, (count, 1))
        shift = rng.normal(0.0, 2.0, (count, 1))
        spectra += height * np.exp(-0.5 * ((channel - place - shift) / width) ** 2)
    spectra += rng.normal(0.0, 0.01, spectra.shape)
    return np.clip(spectra, 0.0, 1.0).astype("float32")
