"""Each of several inputs has an influence on the output: exchanged between samples, it changes something.

A break means a branch that is computed and never joined, or an argument that is not read.
"""

import sys

from ..relation import QUICK, Untold, batched_answers, broken, held, largest, tolerance, with_part

FAMILY, COST = "samples", QUICK


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    parts, whole = subject.parts(), batched_answers(subject)
    if len(parts) < 2:
        raise Untold("the model has one input")
    for number, part in enumerate(parts):
        changed = numpy.roll(part, 1, axis=0)
        if (changed == part).all() or is_mask(numpy, part):
            continue
        answers = subject.answers(subject.given(with_part(parts, number, changed)))
        if answers.shape == whole.shape and largest(whole - answers) <= tolerance(whole) / 100:
            return broken(None, input=number, shape=list(part.shape))
    return held(inputs=len(parts))


def is_mask(numpy, part):
    """Zeros and ones: ``mask-used`` asks about these."""
    return part.ndim > 1 and bool(((part == 0) | (part == 1)).all())
