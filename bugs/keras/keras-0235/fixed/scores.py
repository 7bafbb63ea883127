"""Scores for rare classes."""

import keras


def build_metrics():
    return ["accuracy", keras.metrics.F1Score(threshold=0.5, average="micro", name="f1")]
