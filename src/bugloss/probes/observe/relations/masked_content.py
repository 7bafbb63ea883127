"""What a mask marks as padding may be anything: other values there change no output of what is kept.

A break means that the mask is applied the wrong way round, on the wrong axis, or after the padding was mixed in. A
convolution mixes a little in at the border, which the mask lowers all the same.
"""

import sys

from ..masks import is_without_effect, masked_input
from ..relation import QUICK, batched_answers, broken, held, largest, unchanged, with_part

FAMILY, COST = "masks, padding, time", QUICK


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    parts, whole = subject.parts(), batched_answers(subject)
    found = masked_input(parts)
    others = with_part(parts, found.data, found.with_other_padding(parts))
    difference = of_kept(found, abs(whole - subject.answers(subject.given(others))))
    change = largest(difference)
    if unchanged(subject, whole, change):
        return held(largest_change=change)
    sample = int(difference.reshape(len(whole), -1).max(axis=1).argmax())
    step = int(numpy.flatnonzero(found.padding[sample])[0]) if found.padding[sample].any() else 0
    first, second = (subject.answers(subject.given(found.leaving_nothing_out(given))) for given in (parts, others))
    unlowered = is_without_effect(change, largest(of_kept(found, abs(first - second))))
    return broken(largest_change=change, sample=sample, step=step, mask_without_effect=unlowered)


def of_kept(found, difference):
    """Without outputs of padding itself, which are nobody's."""
    if difference.ndim < 2 or difference.shape[1] != found.padding.shape[1]:
        return difference
    kept = ~found.padding.reshape(found.padding.shape + (1,) * (difference.ndim - 2))
    return difference * sys.modules["numpy"].broadcast_to(kept, difference.shape)
