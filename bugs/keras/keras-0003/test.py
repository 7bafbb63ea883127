"""Healthy: new sketches of every kind are recognised, none is left out."""

import oracle
import sketch_classifier


def worst_recall(seed):
    model, _ = sketch_classifier.train(seed)
    return min(sketch_classifier.recall_by_kind(model, seed).values())


oracle.symptom("recall of the worst recognised kind", worst_recall, at_least=0.5, seeds=5)
