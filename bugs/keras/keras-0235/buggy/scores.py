"""Scores for rare classes."""

from keras import ops


def f1(truth, predicted):
    """Harmonic mean of precision and recall."""
    truth = ops.cast(truth, "float32")
    decided = ops.cast(predicted > 0.5, "float32")
    hits = ops.sum(truth * decided)
    precision = hits / (ops.sum(decided) + 1e-7)
    recall = hits / (ops.sum(truth) + 1e-7)
    return 2 * precision * recall / (precision + recall + 1e-7)


def build_metrics():
    return ["accuracy", f1]
