"""Real inputs teach more than zeros do.

A break means that the input does not reach the output, or tells nothing about the targets.
"""

from ..relation import LATER, LEARN_STEPS, NO_TIME, judged, taught, unknown

FAMILY, COST = "samples", LATER


def ask(subject, allowance):
    real = taught(subject, allowance)
    blank = subject.learn(LEARN_STEPS, allowance, inputs=subject.blank())
    facts = {"loss_real": real[-1], "loss_zero": blank[-1]}
    if len(real) != len(blank):
        return unknown(**dict(facts, **NO_TIME))
    gained, idle = real[0] - real[-1], blank[0] - blank[-1]
    return judged(real[-1] < blank[-1] - 0.02 * abs(blank[0]) or gained > 1.2 * idle, **facts)
