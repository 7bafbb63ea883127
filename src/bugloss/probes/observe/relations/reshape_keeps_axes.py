"""A reshape splits and joins neighbouring axes: none of them changes its place.

A break means that a transposition is meant: an axis of the array comes out with its size at another place, so that
values of different steps, channels, heads or samples are read as neighbours. No number shows it: the shapes fit. It is
tried with two batches of different sizes, because sizes may be equal by chance.
"""

from ..relation import QUICK, Untold, broken, held

FAMILY, COST = "samples", QUICK
RESHAPES = ("view", "reshape", "Reshape", "reshape_as", "view_as")


def ask(subject, allowance):
    steps = reshapes(subject.trace())
    moved = [step for step in steps if moves(step)]
    if moved:
        fewer = subject.given([part[:-1] for part in subject.parts()])
        try:
            others = reshapes(subject.trace(fewer))
        except Untold:
            raise
        except Exception:
            raise Untold("the model takes no smaller batch") from None
        moved = [step for step, other in zip(steps, others) if moves(step) and moves(other)]
    if moved:
        shapes = {"before": list(moved[0].given[0].shape), "after": list(moved[0].values.shape)}
        return broken(subject.where_of(moved[0]), **shapes)
    return held(reshapes=len(steps))


def reshapes(steps):
    return [step for step in steps if step.operation in RESHAPES and step.given]


def moves(step):
    """Whether axes that are both split and joined come out with an axis of theirs at another place."""
    return any(
        extent in after and places(before)[extent] != places(after)[extent]
        for before, after in groups(list(step.given[0].shape), list(step.values.shape))
        if min(len(before), len(after)) > 1 and before != after
        for extent in set(before)
    )


def places(extents):
    """How many values lie between neighbours along an axis, by its size (several axes may have one size)."""
    found, stride = {}, 1
    for extent in reversed(extents):
        found.setdefault(extent, []).append(stride)
        stride *= extent
    return found


def groups(before, after):
    """The axes of both shapes in the smallest groups with as many values."""
    before, after = ([extent for extent in shape if extent > 1] for shape in (before, after))
    left, right, found = [], [], []
    while before or after:
        sizes = product(left), product(right)
        if (sizes[0] <= sizes[1] or not after) and before:
            left.append(before.pop(0))
        elif after:
            right.append(after.pop(0))
        if product(left) == product(right) and left and right:
            found.append((left, right))
            left, right = [], []
    return found


def product(extents):
    whole = 1
    for extent in extents:
        whole *= extent
    return whole
