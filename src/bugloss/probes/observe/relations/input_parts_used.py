"""Every feature, channel and step of an input has an influence on some output.

A break means a wrong slice, a branch that is dropped, or only one step of a sequence that is read. Positions of images
and single steps at an end are left out: strides and pools pass over them in sound models.
"""

import sys

from ..relation import QUICK, Untold, batched_answers, broken, held, largest, tolerance, with_part

FAMILY, COST = "samples", QUICK
MOST_PARTS = 64  # that are looked at one by one
UNREAD_STEPS = 0.5  # of a sequence: more are not lost to strides and pools


def ask(subject, allowance):
    parts, gradients = subject.parts(), subject.influence()
    whole = batched_answers(subject)
    tried = 0
    for number, (part, gradient) in enumerate(zip(parts, gradients)):
        if gradient is None or part.ndim < 2:
            continue
        for kind, axis in axes_of(part):
            tried += 1
            unread = [
                one for one in unread_along(gradient, axis) if matters_not(subject, parts, number, axis, one, whole)
            ]
            if unread and (kind != "step" or len(unread) > UNREAD_STEPS * part.shape[axis]):
                return broken(None, part=kind, unread=unread[:8], of=part.shape[axis], input=number)
    if not tried:
        raise Untold("no input has real features")
    return held(tried=tried)


def axes_of(part):
    """Features of rows; features and steps of sequences, of which there are more; channels of images."""
    if part.ndim == 2:
        return [("feature", 1)]
    smallest = min((part.ndim - 1, 1), key=lambda axis: part.shape[axis])
    if part.ndim == 3:
        return [("feature", smallest), ("step", 3 - smallest)]
    return [("channel", smallest)] if part.ndim in (4, 5) and part.shape[smallest] <= MOST_PARTS else []


def unread_along(gradient, axis):
    """Indices along an axis at which the gradient is zero in every sample."""
    numpy = sys.modules["numpy"]
    if gradient.shape[axis] > 4096:
        return []
    strength = abs(gradient).max(axis=tuple(other for other in range(gradient.ndim) if other != axis))
    found = [int(index) for index in numpy.flatnonzero(strength == 0)]
    return found[:MOST_PARTS] if len(found) < gradient.shape[axis] else []  # none at all: ``every-input-used``


def matters_not(subject, parts, number, axis, index, whole):
    """What is rounded, or looked up in a table, has no gradient and matters all the same."""
    numpy = sys.modules["numpy"]
    part = parts[number]
    chosen = tuple(slice(None) if other != axis else index for other in range(part.ndim))
    changed = part.copy()
    changed[chosen] = numpy.roll(part[chosen], 1, axis=0)
    if largest(changed.astype("float64") - part) == 0:
        return False  # it is the same in every sample: nothing can be said
    return largest(whole - subject.answers(subject.given(with_part(parts, number, changed)))) <= tolerance(whole) / 100
