"""Healthy: the shares that are found mix to about the wanted colour."""

import numpy as np

import mix_paint
import oracle


def misfit(seed):
    spectra = mix_paint.pigment_spectra()
    colour = mix_paint.wanted_colour(spectra, seed + 20)
    shares = mix_paint.find_shares(spectra, colour, seed=seed)
    return float(np.mean((np.asarray(shares).dot(spectra) - colour) ** 2))


oracle.value("mean squared misfit of the mixed colour", misfit, at_most=0.02)
