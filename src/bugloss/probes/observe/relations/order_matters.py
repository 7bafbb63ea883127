"""A model that is to predict the next step tells sequences apart that differ in the order of earlier steps only.

A break means that positions are unknown to it: attention without a position encoding, a mean over steps.
"""

import sys

from ..relation import QUICK, Untold, batched_answers, judged, largest, with_part
from . import causality

FAMILY, COST = "masks, padding, time", QUICK
NOISE = 1e-6  # of the largest output: sums in another order differ by less


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    parts, whole = subject.parts(), batched_answers(subject)
    number = causality.predicted_part(parts, subject.target())
    if number is None or whole.ndim < 2 or whole.shape[1] != parts[number].shape[1]:
        raise Untold("the model does not predict the next step at every step")
    part = parts[number]
    changed = numpy.concatenate([part[:, -2::-1], part[:, -1:]], axis=1)
    if (changed == part).all():
        raise Untold("the steps are the same in any order")
    answers = subject.answers(subject.given(with_part(parts, number, changed)))
    change = largest(whole[:, -1] - answers[:, -1])
    return judged(change > NOISE * largest(whole[:, -1]), largest_change=change)
