"""Healthy: two thirds of the unseen texts go to their author (guessing finds one in three)."""

import attribute_texts
import oracle


def held_out_accuracy(seed):
    _, accuracy = attribute_texts.run(seed)
    return accuracy


oracle.symptom("held-out accuracy", held_out_accuracy, at_least=0.65, seeds=6)
