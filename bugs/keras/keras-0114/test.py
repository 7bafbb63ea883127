"""Healthy: most parcels on new photographs are sorted right."""

import oracle
import sort_parcels


def share_sorted_right(seed):
    return sort_parcels.accuracy(sort_parcels.train(seed), 10_000 + seed)


oracle.symptom("accuracy on new photographs", share_sorted_right, at_least=0.75, seeds=5)
