"""Where a model is to predict the next step, its output at a step does not change with a later step.

A break means that the answer can be read off: no causal mask, a mask the wrong way round, a bidirectional layer, a
centred filter, or a decoder that is given what it is to predict.
"""

import sys

from ..relation import QUICK, Untold, batched_answers, judged, unchanged, with_part

FAMILY, COST = "masks, padding, time", QUICK
SPECIFIC = 0.9  # a share: chance agreement of two symbols is one half


def ask(subject, allowance):
    parts, before = subject.parts(), batched_answers(subject)
    number = predicted_part(parts, subject.target())
    if number is None:
        raise Untold("the targets are not the inputs shifted by one step")
    steps = parts[number].shape[1]
    if before.ndim < 2 or before.shape[1] != steps:
        raise Untold("the output has no axis of steps")
    inputs = subject.given(with_part(parts, number, with_other_end(parts[number])))
    difference = abs(before - subject.answers(inputs))
    changes = [float(difference[:, step].max()) for step in range(steps - 1)]
    facts = {"largest_change": max(changes), "position": changes.index(max(changes)), "changed": steps - 1}
    return judged(unchanged(subject, before, max(changes)), lambda: where(subject, inputs, steps), **facts)


def predicted_part(parts, target):
    """The number of the input that the targets are, one step on."""
    for number, part in enumerate(parts):
        if part.ndim < 2 or part.shape[1] < 3 or (part == part[:1]).all():
            continue
        wanted = target.argmax(axis=2) if target.ndim == 3 and target.shape[2] > 1 and part.ndim == 2 else target
        for length in (part.shape[1], part.shape[1] - 1):
            rows = part[:, 1:]
            if wanted.size and wanted.size * part.shape[1] == part.size * length:
                shaped = wanted.reshape((len(part), length) + part.shape[2:])[:, : rows.shape[1]]
                if agree(shaped, rows) > 0.9 and means_next_step(part, shaped, rows):
                    return number
    return None


def means_next_step(part, wanted, rows):
    """Not so where the same step, or the next one of another sample, agrees as well: most values are equal then."""
    numpy = sys.modules["numpy"]
    same, others = agree(wanted, part[:, : wanted.shape[1]]), agree(wanted, numpy.roll(rows, 1, axis=0))
    return max(same, others) < SPECIFIC * agree(wanted, rows)


def agree(wanted, rows):
    length = min(wanted.shape[1], rows.shape[1])
    return sys.modules["numpy"].isclose(wanted[:, :length], rows[:, :length]).mean()


def with_other_end(part):
    """The last step changed: another symbol that occurs, or another number."""
    changed = part.copy()
    if part.dtype.kind == "f" and (part != part.round()).any():
        changed[:, -1] = part[:, -1] + (part.std() or 1.0)
    else:
        changed[:, -1] = (part[:, -1] + 1) % (part.max() + 1)
    return changed


def where(subject, inputs, steps):
    """The first operation after which the change is seen between earlier steps, too."""

    def leaks(old, new):
        axes = [axis for axis, extent in enumerate(old.shape) if extent == steps and axis]
        changed = abs(old - new) > 1e-5 * (1 + abs(old).max())
        before = tuple(slice(0, -1) if axis in axes else slice(None) for axis in range(old.ndim))
        return bool(axes) and bool(changed[before].any())

    return subject.first_break(inputs, leaks)
