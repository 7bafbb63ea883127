"""Outputs that are probabilities add up to one over the classes of a sample, not over the samples of a batch.

A break means softmax over the batch axis.
"""

import sys

from ..relation import QUICK, Untold, batched_answers, judged

FAMILY, COST = "samples", QUICK


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    whole = batched_answers(subject).astype("float64")
    if whole.ndim < 2 or whole.size == len(whole):
        raise Untold("there is one output a sample")
    found = numpy.exp(whole) if whole.max() <= 0 else whole
    if found.min() < 0 or found.max() > 1 + 1e-6:
        raise Untold("the outputs are not probabilities")
    by_class = [sums_to_one(found, axis) for axis in range(1, found.ndim)]
    by_sample = sums_to_one(found, 0)
    if not (by_sample or any(by_class)):
        raise Untold("the outputs do not add up to one")
    return judged(any(by_class), lambda: where(subject), sum_over_batch=float(found.sum(axis=0).mean()))


def sums_to_one(values, axis):
    return bool((abs(values.sum(axis=axis) - 1) < 1e-3).all())


def where(subject):
    steps = [step for step in subject.trace() if "softmax" in step.operation.lower()]
    steps = steps or subject.trace()
    return subject.where_of(steps[-1]) if steps else None
