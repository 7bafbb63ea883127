"""A loss function that takes logits is not given probabilities, and one that takes their logarithms neither.

A break means softmax or sigmoid twice: in the model and in the loss, which then hardly tells right from wrong. It is
tried on every output that has a loss, with inputs as they are and far larger ones of both signs: logits are not bound
to 0 … 1. What an operation such as ``linear`` makes is a logit, however small it happens to be. Where Keras
finds the logits before the last activation by itself, and warns, nothing is wrong.
"""

import sys

from ..masks import is_whole
from ..relation import QUICK, Untold, broken, held

FAMILY, COST = "numbers", QUICK
LEAST_VALUES = 16  # fewer lie between 0 and 1 by chance
FACTORS = (10, 1000, -1000)
LINEAR = ("linear", "addmm", "matmul", "bmm", "einsum", "conv1d", "conv2d", "conv3d")
ROWS = ("cross_entropy", "nll_loss", "kl_div")  # over classes


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    found = subject.loss_inputs()
    if not found:
        raise Untold("no loss function is known to take logits")
    scaled = [subject.loss_inputs(subject.given(times(subject.parts(), factor))) for factor in FACTORS]
    scales = any(not is_whole(part) for part in subject.parts())
    for place, (name, values, where) in enumerate(found):
        larger = [others[place][1] for others in scaled]
        if not bounded(name, values) or not all(bounded(name, each, saturated=True) for each in larger):
            continue
        if scales and all(numpy.array_equal(values, other) for other in larger):
            continue  # a loss of other samples than those that were scaled
        if not made_linearly(subject, values):
            return broken(where, loss=name, lowest=float(values.min()), highest=float(values.max()))
    return held(losses=len(found))


def times(parts, factor):
    return [part if is_whole(part) else factor * part for part in parts]


def made_linearly(subject, values):
    """Whether these very values are what a linear operation gives; where operations cannot be followed: unknown, no."""
    numpy = sys.modules["numpy"]
    try:
        steps = list(subject.trace())
    except Untold:
        return False
    row = values.reshape(-1)
    makers = [
        step.operation.lower()
        for step in steps
        if step.values.size == row.size and numpy.allclose(step.values.reshape(-1), row, rtol=1e-4, atol=1e-5)
    ]
    return any(maker in LINEAR for maker in makers)


def bounded(name, values, saturated=False):
    """Whether all values are probabilities: of a flag each, or of the classes of an axis; 0 and 1 only if saturated."""
    if values.dtype.kind != "f" or values.size < LEAST_VALUES:
        return False
    lowest, highest = values.min(), values.max()
    if not (0 < lowest and highest < 1) and not (saturated and 0 <= lowest and highest <= 1):
        return False
    axis = 1 if values.ndim > 1 else 0
    return name not in ROWS or bool((abs(values.sum(axis=axis) - 1) < 1e-4).all())
