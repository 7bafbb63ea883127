"""One more step of padding, marked as such, changes no output.

A break means that padded steps are counted: a mean over all steps, a mask on the wrong axis, the last step that is read
where the last word is meant.
"""

import sys

from ..masks import is_without_effect, masked_input
from ..relation import QUICK, Untold, batched_answers, broken, held, largest, unchanged

FAMILY, COST = "masks, padding, time", QUICK


def ask(subject, allowance):
    parts, whole = subject.parts(), batched_answers(subject)
    found = masked_input(parts)
    longer = with_longer_padding(parts, found)
    change = change_of(found, whole, subject.answers(subject.given(longer)))
    if unchanged(subject, whole, change):
        return held(largest_change=change)
    first = subject.answers(subject.given(found.leaving_nothing_out(parts)))
    second = subject.answers(subject.given(found.leaving_nothing_out(longer, found.padding.shape[1] + 1)))
    return broken(largest_change=change, mask_without_effect=is_without_effect(change, change_of(found, first, second)))


def with_longer_padding(parts, found):
    numpy = sys.modules["numpy"]
    if not found.padding[:, -1].any():
        raise Untold("the padding is not at the end of rows")
    row = int(numpy.flatnonzero(found.padding[:, -1])[0])
    longer = list(parts)
    for number in (found.data, found.mask):
        part = parts[number]
        if part.size > len(part):  # lengths stay
            added = numpy.repeat(part[row : row + 1, -1:], len(part), axis=0)
            longer[number] = numpy.concatenate([part, added], axis=1)
    return longer


def change_of(found, whole, answers):
    """The largest change of an output that is not padding's own."""
    numpy = sys.modules["numpy"]
    if whole.ndim > 1 and answers.shape[1:2] == (whole.shape[1] + 1,):
        kept = ~found.padding.reshape(found.padding.shape + (1,) * (whole.ndim - 2))
        answers = numpy.where(kept, answers[:, :-1], whole)
    if answers.shape != whole.shape:
        raise Untold("the shape of the output changes with the number of steps")
    return largest(whole - answers)
