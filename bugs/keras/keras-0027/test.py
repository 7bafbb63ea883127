"""Healthy: the loss stays a number and has come down after a few epochs."""

import oracle
import typewriter


def last_loss(seed):
    losses, _ = typewriter.train(seed, epochs=4)
    return losses[-1]


oracle.symptom("loss of the fourth epoch", last_loss, at_most=1.0, seeds=5)
