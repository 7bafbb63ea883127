"""A loss has a gradient for the parameters that are stepped after it.

A break means that the way from the loss to them is cut: detach() on the wrong side of a pair of adversaries, a model
that is called under no_grad(), or an optimizer that belongs to another loss. Keras itself raises an exception, too.
"""

from ..relation import QUICK, judged

FAMILY, COST = "gradients of loss terms", QUICK


def ask(subject, allowance):
    count, without, where = subject.unreached()
    return judged(without < count, lambda: where, parameters=count, without=without)
