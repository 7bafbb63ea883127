"""A list of layers holds different layers.

A break means [layer] * 3: one layer with one set of weights, used three times.
"""

from ..relation import QUICK, judged

FAMILY, COST = "samples", QUICK


def ask(subject, allowance):
    names = subject.shared_layers()
    return judged(not names, lambda: subject.where("list", names[0]), names=names[:5])
