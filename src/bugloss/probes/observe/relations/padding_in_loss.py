"""Outputs for padding do not count: changed where the targets are padding, they leave the loss as it is.

A break means that the loss is taken over padding too; where most steps are padding, that is what the model learns.
"""

import sys

from ..masks import is_whole
from ..relation import QUICK, Untold, batched_answers, judged

FAMILY, COST = "masks, padding, time", QUICK
LEAST_SHARE = 0.25  # of all positions: less padding does little harm
LEAST_LENGTHS = 3  # different ones, or the end is part of the pattern


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    target, whole = subject.target(), batched_answers(subject)
    if target.ndim != 2 or whole.ndim != 3 or target.shape != whole.shape[:2] or not is_whole(target):
        raise Untold("the targets are not symbols at the steps of the output")
    padding = padding_of(numpy, target)
    changed = whole + numpy.where(padding[:, :, None], noise(numpy, whole), 0)
    before, after = subject.judge(), subject.judge_outputs(changed.astype(whole.dtype))
    share = float(padding.mean())
    return judged(abs(before - after) <= 1e-5 * (1 + abs(before)), share=share, loss=before, loss_changed=after)


def padding_of(numpy, target):
    symbol = numpy.bincount(target[:, -1].astype("int64") - int(target.min())).argmax() + int(target.min())
    other = numpy.maximum.accumulate((target != symbol)[:, ::-1], axis=1)[:, ::-1]
    lengths = other.sum(axis=1)
    if float((~other).mean()) < LEAST_SHARE or len(numpy.unique(lengths)) < LEAST_LENGTHS or not lengths.all():
        raise Untold("the targets do not end in padding of various lengths")
    if (target == symbol)[other].mean() > 0.02:
        raise Untold("the value at the ends of rows occurs elsewhere, too")
    return ~other


def noise(numpy, whole):
    return numpy.random.RandomState(0).standard_normal(whole.shape) * (whole.std() or 1.0)
