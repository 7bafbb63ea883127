"""The outputs for a batch do not depend on the batch before it.

A break means a hidden state that is kept from batch to batch; some programs mean it and reset it themselves.
"""

import sys

from ..relation import QUICK, batched_answers, judged, largest, unchanged

FAMILY, COST = "modes", QUICK


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    whole = batched_answers(subject)
    others = subject.given([numpy.roll(part, 1, axis=0) for part in subject.parts()])
    _, after = subject.two_answers(others)
    change = largest(whole - after)
    return judged(unchanged(subject, whole, change), largest_change=change)
