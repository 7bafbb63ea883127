"""Healthy: the estimates explain at least half of what makes the rents of other flats differ."""

import estimate_rent
import oracle


def variance_explained(seed):
    _, share = estimate_rent.run(seed)
    return share


oracle.symptom("variance explained on other flats", variance_explained, at_least=0.5, seeds=6)
