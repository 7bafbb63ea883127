"""Healthy: the kind of most new recordings is recognised."""

import diagnose_starter
import oracle


def accuracy_on_new_recordings(seed):
    return diagnose_starter.accuracy(diagnose_starter.train(seed), 10_000 + seed)


oracle.symptom("accuracy on new recordings", accuracy_on_new_recordings, at_least=0.85, seeds=5)
