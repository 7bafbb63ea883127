"""The loss compares each output with its own target: targets of other samples give another loss.

A break means that every output is compared with every target, as (n, 1) less (n,) does, or that the targets are not
used at all.
"""

import sys

from ..relation import QUICK, Untold, batched_answers, judged, largest

FAMILY, COST = "gradients of loss terms", QUICK


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    outputs, target = batched_answers(subject), subject.target()
    dealt = numpy.roll(target, 1, axis=0)
    if (dealt == target).mean() > 0.9:
        raise Untold("the targets of the batch are all equal")
    if largest(outputs - numpy.roll(outputs, 1, axis=0)) <= 1e-3 * largest(outputs):
        raise Untold("the outputs are all equal before training")
    own, other = subject.judge_outputs(outputs), subject.judge_outputs(outputs, dealt)
    holds = abs(own - other) > 1e-6 * (abs(own) + abs(other))
    if not holds and subject.shows_pairing and subject.pairing() is None:
        raise Untold("no operation compares all samples with each other, so these may not be the targets")
    return judged(holds, subject.pairing, loss=own, loss_of_other_targets=other)
