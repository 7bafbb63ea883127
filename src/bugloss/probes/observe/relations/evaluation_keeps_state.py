"""A forward pass in evaluation mode leaves parameters and running statistics as they were.

A break means statistics that are taken from validation data, or a counter that does not follow the mode.
"""

from ..relation import QUICK, judged

FAMILY, COST = "modes", QUICK


def ask(subject, allowance):
    changed = subject.state_changes()
    return judged(not changed, lambda: where(subject, changed[0]), changed=changed[:5])


def where(subject, name):
    return subject.where("forward", name.rpartition(".")[0])
