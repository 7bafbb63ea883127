"""What a model with several inputs is to predict is not one of them, step by step.

A break means that a decoder is given its targets unshifted, or a label is among the inputs.
"""

import sys

from ..masks import is_mask
from ..relation import QUICK, Untold, broken, held

FAMILY, COST = "masks, padding, time", QUICK


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    target = subject.target()
    parts = [(number, part) for number, part in enumerate(subject.parts()) if not is_mask(part)]
    if len(parts) < 2:
        raise Untold("the model has one input")
    if (target == target[:1]).all():
        raise Untold("all targets of the batch are the same")
    for number, part in parts:
        if part.size == target.size and numpy.isclose(part.reshape(-1), target.reshape(-1)).all():
            return broken(None, input=number, shape=list(part.shape))
    return held(inputs=len(parts))
