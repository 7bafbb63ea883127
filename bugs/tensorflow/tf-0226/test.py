"""Healthy: the engines of new sounds are named."""

import hear_engines
import oracle
import sounds


def share_named(seed):
    model = hear_engines.train(seed)
    waves, names = sounds.record(300, seed + 5000)
    return float((hear_engines.name_engines(model, waves) == names).mean())


oracle.symptom("share of engines that are named", share_named, at_least=0.75, seeds=5)
