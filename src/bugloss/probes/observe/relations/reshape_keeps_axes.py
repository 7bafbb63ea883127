"""A reshape keeps the order of axes: where the sizes come out in another order, it was to be a transposition.

A break means that values of different steps, channels or samples are read as neighbours. No number shows it: the
shapes fit.
"""

from ..relation import QUICK, broken, held

FAMILY, COST = "samples", QUICK
RESHAPES = ("view", "reshape", "Reshape", "reshape_as", "view_as")


def ask(subject, allowance):
    steps = [step for step in subject.trace() if step.operation in RESHAPES and step.given]
    for step in steps:
        before, after = ([extent for extent in array.shape if extent > 1] for array in (step.given[0], step.values))
        if before != after and sorted(before) == sorted(after):
            shapes = {"before": list(step.given[0].shape), "after": list(step.values.shape)}
            return broken(subject.where_of(step), **shapes)
    return held(reshapes=len(steps))
