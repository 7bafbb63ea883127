"""Permuting the batch permutes the outputs.

A break that is not one of ``batch-independence`` means that a sample's place in the batch matters: a position encoding
or a mask that is indexed along the batch, or one parameter a row.
"""

import sys

from ..relation import QUICK, Untold, apart, batched_answers, judged, largest, unchanged

FAMILY, COST = "samples", QUICK


def ask(subject, allowance):
    apart(subject)
    whole, parts = batched_answers(subject), subject.parts()
    if subject.kept_rows():
        raise Untold("the model keeps a row of its own for each place in the batch")
    answers = subject.answers(subject.given([part[::-1].copy() for part in parts]))
    if answers.shape != whole.shape:
        raise Untold("the shape of the output changes with its inputs")
    difference = abs(whole - answers[::-1])
    sample = int(difference.reshape(subject.size, -1).max(axis=1).argmax())
    change = largest(difference)
    return judged(
        unchanged(subject, whole, change), lambda: where(subject, parts), largest_change=change, sample=sample
    )


def where(subject, parts):
    """The first operation whose outputs for the reversed batch are not the reversal of those before, along any axis."""
    numpy = sys.modules["numpy"]

    def differs(old, new):
        axes = [axis for axis, extent in enumerate(old.shape) if extent == subject.size]
        close = 1e-4 * (1 + abs(old).max()) if old.size else 0
        return bool(axes) and not any(abs(old - numpy.flip(new, axis)).max() <= close for axis in axes)

    return subject.first_break(subject.given([part[::-1].copy() for part in parts]), differs)
