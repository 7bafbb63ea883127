"""The loss has a gradient for each output unit in some sample.

A break means that a part of the output is never compared with anything: a wrong slice, or too many units.
"""

import sys

from ..relation import QUICK, Untold, judged

FAMILY, COST = "gradients of loss terms", QUICK
SAMPLES_PER_UNIT = 4  # fewer may leave a class or an action out by chance


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    gradient = subject.output_gradient()
    if gradient.ndim != 2 or len(gradient) != subject.size or gradient.shape[1] < 2:
        raise Untold("the output is not a row of units a sample")
    if len(gradient) < SAMPLES_PER_UNIT * gradient.shape[1] or not gradient.any():
        raise Untold("there are too few samples for so many units")
    idle = [int(unit) for unit in numpy.flatnonzero((gradient == 0).all(axis=0))]
    return judged(not idle, idle=idle[:8], units=gradient.shape[1])
