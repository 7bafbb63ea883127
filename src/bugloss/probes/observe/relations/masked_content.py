"""What a mask marks as padding may be anything: other values there change no output of what is kept.

A break means that the mask is applied the wrong way round, on the wrong axis, or after the padding was mixed in.
"""

import sys

from ..masks import masked_input
from ..relation import QUICK, batched_answers, judged, largest, unchanged, with_part

FAMILY, COST = "masks, padding, time", QUICK


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    parts, whole = subject.parts(), batched_answers(subject)
    found = masked_input(parts)
    inputs = subject.given(with_part(parts, found.data, found.with_other_padding(parts)))
    difference = abs(whole - subject.answers(inputs))
    if whole.ndim > 1 and whole.shape[1] == found.padding.shape[1]:  # outputs of padding itself are nobody's
        kept = ~found.padding.reshape(found.padding.shape + (1,) * (whole.ndim - 2))
        difference = difference * numpy.broadcast_to(kept, whole.shape)
    change = largest(difference)
    sample = int(difference.reshape(len(whole), -1).max(axis=1).argmax())
    step = int(numpy.flatnonzero(found.padding[sample])[0]) if found.padding[sample].any() else 0
    return judged(unchanged(subject, whole, change), largest_change=change, sample=sample, step=step)
