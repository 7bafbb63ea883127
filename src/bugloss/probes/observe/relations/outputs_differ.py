"""After training, different samples get different outputs.

A break means a constant prediction: a dead or saturated layer, softmax over one unit, a path that cancels itself.
"""

import sys

from ..relation import QUICK, Untold, judged, largest

FAMILY, COST = "samples", QUICK


def ask(subject, allowance):
    parts = subject.parts()
    if all(largest(part.astype("float64") - part[:1]) == 0 for part in parts):
        raise Untold("all samples of the batch are the same")
    answers = subject.trained_answers()
    if len(answers) != subject.size:
        raise Untold("the output has no batch axis")
    difference = largest(answers.astype("float64") - answers[:1])
    holds = difference > 1e-6 * largest(answers)
    return judged(holds, lambda: where(subject), largest_difference=difference)


def where(subject):
    """The first operation whose input differs between samples while its output does not."""
    numpy = sys.modules["numpy"]
    for step in subject.trace():
        varied = [given for given in step.given if len(given.shape) and len(given) == subject.size]
        if step.values.ndim and len(step.values) == subject.size and step.values.dtype.kind == "f":
            before = any(numpy.ptp(given.astype("float64"), axis=0).max() > 0 for given in varied if given.size)
            if before and numpy.ptp(step.values, axis=0).max() == 0:
                return subject.where_of(step)
    return None
