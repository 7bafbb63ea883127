"""A batch twice over has the same loss: it is a mean, not a sum.

A break means that the size of steps grows with the batch.
"""

from ..relation import QUICK, judged

FAMILY, COST = "gradients of loss terms", QUICK


def ask(subject, allowance):
    once, twice = subject.judge(), subject.judge_doubled()
    ratio = twice / once if once else float("nan")
    return judged(abs(ratio - 1) < 0.25, loss=once, loss_doubled=twice, ratio=ratio)
