"""A mask that a model is given has an influence: without it, some output changes.

A break means that the mask is an argument that nobody reads.
"""

import sys

from ..masks import masked_input
from ..relation import QUICK, batched_answers, judged, largest, tolerance, with_part

FAMILY, COST = "masks, padding, time", QUICK


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    parts, whole = subject.parts(), batched_answers(subject)
    found = masked_input(parts)
    mask = parts[found.mask]
    kept = mask[~found.padding][:1] if mask.ndim > 1 else mask.max(keepdims=True).reshape(-1)[:1]
    inputs = subject.given(with_part(parts, found.mask, numpy.broadcast_to(kept, mask.shape).copy()))
    change = largest(whole - subject.answers(inputs))
    return judged(change > tolerance(whole) / 100, largest_change=change, input=found.mask)
