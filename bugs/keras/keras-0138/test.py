"""Healthy: most of the variance of new spectra is still there after encoding and decoding."""

import compress
import numpy as np
import oracle
from minerals import make_spectra


def explained_variance(seed):
    vae = compress.train()
    spectra = make_spectra(300, seed=900 + seed)
    error = np.square(np.asarray(vae.reconstruct(spectra)) - spectra).sum()
    return float(1.0 - error / np.square(spectra - spectra.mean(axis=0)).sum())


oracle.symptom("explained variance of new spectra", explained_variance, at_least=0.5, seeds=5)
