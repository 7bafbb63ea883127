"""Healthy: the loss is a number, and clearly below that of guessing one of fifteen letters (2.7)."""

import oracle
import spell_names


def last_loss(seed):
    return spell_names.main(seed)[-1]


oracle.symptom("training loss of the last epoch", last_loss, at_most=1.6, seeds=6)
