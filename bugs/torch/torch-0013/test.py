"""Healthy: the loss is low when training ends, as it was on the way there."""

import oracle
import segment_nuclei


def last_loss(seed):
    return segment_nuclei.main(seed)[-1]


oracle.symptom("training loss of the last epoch", last_loss, at_most=0.15, seeds=6)
