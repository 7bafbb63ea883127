"""A sample's output is the same alone and in its batch, in evaluation mode.

A break means that something depends on the number of samples: squeeze() of a batch of one, statistics of the batch, a
reshape with -1 on the wrong side.
"""

from ..relation import QUICK, Untold, apart, batched_answers, judged, largest, unchanged

FAMILY, COST = "samples", QUICK


def ask(subject, allowance):
    apart(subject)
    whole, parts = batched_answers(subject), subject.parts()
    chosen = subject.size // 2
    alone = subject.answers(subject.given([part[chosen : chosen + 1] for part in parts]))
    if alone.size != whole[chosen].size:
        raise Untold("the size of the output changes with the number of samples")
    change = largest(alone.reshape(-1) - whole[chosen].reshape(-1))
    return judged(unchanged(subject, whole, change), largest_change=change, sample=chosen)
