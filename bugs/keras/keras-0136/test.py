"""Healthy: the validation accuracy is about the accuracy on clips of another day."""

import oracle

import spot_words
from clips import make_clips


def optimism(seed):
    """By how much the last validation accuracy exceeds the accuracy on new clips."""
    model, history = spot_words.train()
    fresh, words = make_clips(400, seed=500 + seed)
    return history["val_accuracy"][-1] - model.evaluate(fresh, words, verbose=0)[1]


oracle.symptom("validation accuracy minus accuracy on new clips", optimism, at_most=0.25, seeds=5)
