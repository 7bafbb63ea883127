"""Healthy: most pairs of known questions are judged right."""

import numpy as np

import match_questions
import oracle
from question_pairs import pairs


def accuracy(seed):
    model = match_questions.train(seed)
    left, right, same = pairs(300, seed + 1234, unknown=0.0)
    return float(np.mean((model.predict([left, right])[:, 0] > 0.5) == (same > 0.5)))


oracle.symptom("share of pairs that are judged right", accuracy, at_least=0.7, seeds=5)
