"""The first update of the parameters points against the gradient of the loss.

A break means that the loss is climbed: the sign of a step by hand, maximize=True, or a loss whose sign was changed for
the optimizer only. With Keras it is tried in hand-written training loops: ``fit`` takes the signs itself.
"""

from ..relation import QUICK, Answer

FAMILY, COST = "gradients of loss terms", QUICK
SURE = 0.05  # of a cosine: noise of other samples is smaller


def ask(subject, allowance):
    cosine = subject.descent()
    return Answer(True if cosine < 0 else False if cosine > SURE else None, {"cosine": cosine})
