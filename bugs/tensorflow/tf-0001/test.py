"""Healthy: the training loss stays a finite number from the first step to the last."""

import math

import oracle

import name_elements


def finite_share(seed):
    losses, _ = name_elements.train(seed)
    return sum(math.isfinite(loss) for loss in losses) / float(len(losses))


oracle.symptom("share of steps with a finite loss", finite_share, at_least=0.95, seeds=6)
