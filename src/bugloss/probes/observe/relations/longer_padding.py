"""One more step of padding, marked as such, changes no output.

A break means that padded steps are counted: a mean over all steps, a mask on the wrong axis, the last step that is read
where the last word is meant.
"""

import sys

from ..masks import masked_input
from ..relation import QUICK, Untold, batched_answers, judged, largest, unchanged

FAMILY, COST = "masks, padding, time", QUICK


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    parts, whole = subject.parts(), batched_answers(subject)
    found = masked_input(parts)
    data, mask = parts[found.data], parts[found.mask]
    row = int(numpy.flatnonzero(found.padding[:, -1])[0]) if found.padding[:, -1].any() else None
    if row is None:
        raise Untold("padding does not stand at the end of rows")
    longer = list(parts)
    longer[found.data] = numpy.concatenate([data, numpy.repeat(data[row : row + 1, -1:], len(data), axis=0)], axis=1)
    if mask.ndim > 1:
        longer[found.mask] = numpy.concatenate(
            [mask, numpy.repeat(mask[row : row + 1, -1:], len(mask), axis=0)], axis=1
        )
    answers = subject.answers(subject.given(longer))
    if whole.ndim > 1 and answers.shape[1:2] == (whole.shape[1] + 1,):
        answers = answers[:, :-1]
        kept = ~found.padding.reshape(found.padding.shape + (1,) * (whole.ndim - 2))
        answers = numpy.where(kept, answers, whole)
    if answers.shape != whole.shape:
        raise Untold("the shape of the output changes with the number of steps")
    change = largest(whole - answers)
    return judged(unchanged(subject, whole, change), largest_change=change)
