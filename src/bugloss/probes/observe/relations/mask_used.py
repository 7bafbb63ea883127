"""A mask that a model is given has an influence: without it, some output changes.

A break means that the mask is an argument that nobody reads.
"""

from ..masks import masked_input
from ..relation import QUICK, batched_answers, judged, largest, tolerance

FAMILY, COST = "masks, padding, time", QUICK


def ask(subject, allowance):
    parts, whole = subject.parts(), batched_answers(subject)
    found = masked_input(parts)
    change = largest(whole - subject.answers(subject.given(found.leaving_nothing_out(parts))))
    return judged(change > tolerance(whole) / 100, largest_change=change, input=found.mask)
