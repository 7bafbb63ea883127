"""Healthy: most units of the last hidden layer answer to some spectrum of the trained minerals."""

import identify_minerals
import oracle


def active_units(seed):
    network, (spectra, _) = identify_minerals.train(seed, epochs=3)
    return network.active_units(spectra)


oracle.symptom("active units of 16", active_units, at_least=8, seeds=5)
