"""In evaluation mode a sample's output does not change with the others of its batch: once as they are, once replaced.

A break means that an operation mixes samples: a reshape, a transposition, a mean, softmax or norm over the batch axis,
or a recurrent layer that takes the batch for time. Models that compare samples on purpose break it, too.
"""

import sys

from ..relation import QUICK, Untold, apart, batched_answers, judged, largest, tolerance, unchanged, with_part

FAMILY, COST = "samples", QUICK
MOST_MOVED = 6  # samples that are changed one by one


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
    facts = {} if holds else displaced(subject, whole, parts)
    return judged(holds, lambda: where(subject, parts), largest_change=change, sample=sample, **facts)


def displaced(subject, whole, parts):
    """Whether each sample has an effect on one output only, and that on another sample's: they change places."""
    numpy = sys.modules["numpy"]
    moved = {}
    main = max(range(len(parts)), key=lambda place: parts[place].size)  # lengths and masks decide the order
    for sample in range(0, subject.size, max(subject.size // MOST_MOVED, 1)):
        part, other = parts[main], parts[main].copy()
        real = part.dtype.kind == "f"
        other[sample] = part[sample] + (part.std() or 1.0) if real else part[(sample + 1) % len(part)]
        given = subject.given(with_part(parts, main, other))
        gaps = abs(subject.answers(given) - whole).reshape(len(whole), -1).max(axis=1)
        rows = numpy.flatnonzero(gaps > tolerance(whole))
        if len(rows) > 1:
            return {}
        if len(rows):
            moved[sample] = int(rows[0])
    wrong = [(sample, row) for sample, row in moved.items() if row != sample]
    return {"moved": len(wrong), "moved_of": len(moved), "from": wrong[0][0], "to": wrong[0][1]} if wrong else {}


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
