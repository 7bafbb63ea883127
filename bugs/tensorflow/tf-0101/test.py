"""Healthy: the validation accuracy reported last is the accuracy of the model on the validation data."""

import numpy as np

import oracle
import sequences
import train


def difference(seed):
    tokens, labels = sequences.make_sequences(256, seed + 90000)
    model, reported = train.run(seed, validation=(tokens, labels))
    actual = np.mean(np.argmax(model(tokens), axis=1) == labels)
    return float(abs(reported[-1][1] - actual))


oracle.value("difference between reported and actual accuracy", difference, at_most=0.01)
