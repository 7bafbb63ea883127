"""Healthy: on unseen windows the detector recognises cooling rooms as well as heated ones."""

import oracle
import heating_detector


def worst_recall(seed):
    model, _ = heating_detector.train(seed)
    matrix = heating_detector.confusion_matrix(model, seed)
    return float((matrix.diagonal() / matrix.sum(axis=1)).min())


oracle.symptom("recall of the worse recognised state", worst_recall, at_least=0.6, seeds=5)
