"""In evaluation mode a sample's output does not change with the others of its batch: once as they are, once replaced.

A break means that an operation mixes samples: a reshape, a transposition, a mean, softmax or norm over the batch axis,
or a recurrent layer that takes the batch for time. Models that compare samples on purpose break it, too.
"""

import sys

from ..relation import QUICK, Untold, apart, batched_answers, judged, largest, unchanged

FAMILY, COST = "samples", QUICK


def ask(subject, allowance):
    apart(subject)
    whole, parts = batched_answers(subject), subject.parts()
    sample, inputs = 0, None
    for kept in (0, subject.size - 1):  # what runs along the batch may reach only later samples, or only earlier ones
        inputs = subject.given([replaced(part, kept) for part in parts])
        answers = subject.answers(inputs)
        if answers.shape != whole.shape:
            raise Untold("the shape of the output changes with its inputs")
        sample, change = kept, largest(whole[kept] - answers[kept])
        if not unchanged(subject, whole, change):
            break
    holds = unchanged(subject, whole, change)
    return judged(holds, lambda: where(subject, parts), largest_change=change, sample=sample)


def replaced(part, kept):
    """The rows in another order, but for one; small numbers are added, or a mean over rows would not notice."""
    numpy = sys.modules["numpy"]
    changed = numpy.roll(part, 1, axis=0)
    if part.dtype.kind == "f":
        changed = changed + (part.std() or 1.0) * numpy.linspace(0.5, 1.0, len(part)).reshape(
            (-1,) + (1,) * (part.ndim - 1)
        ).astype(part.dtype)
    else:
        changed[:] = part[(kept + 1) % len(part)]
    changed[kept] = part[kept]
    return changed.astype(part.dtype)


def where(subject, parts):
    """Where the change of one sample no longer stays within one sample's share of some axis."""
    for sample in (subject.size // 2, 0):
        others = [part.copy() for part in parts]
        for other, part in zip(others, parts):
            real = part.dtype.kind == "f"
            other[sample] = part[sample] + (part.std() or 1.0) if real else part[(sample + 1) % len(part)]
        found = subject.first_break(subject.given(others), lambda old, new: spreads(old, new, subject.size))
        if found is not None:
            return found
    return None


def spreads(old, new, size):
    """Whether a change of one sample is seen in more than one sample's share of every axis."""
    changed = abs(old - new) > 1e-5 * (1 + (abs(old).max() if old.size else 0))
    if not changed.any():
        return False
    for axis in range(changed.ndim):
        touched = int(changed.any(axis=tuple(other for other in range(changed.ndim) if other != axis)).sum())
        if touched * size <= changed.shape[axis]:
            return False
    return True
