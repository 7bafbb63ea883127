"""With inputs of zero the loss and its gradient are finite.

A break means a square root, norm, logarithm or division that has no guard: one blank sample ruins a training.
"""

from ..masks import is_whole
from ..relation import QUICK, Answer, Untold

FAMILY, COST = "numbers", QUICK


def ask(subject, allowance):
    return finite_for(subject, lambda part: 0 * part)


def finite_for(subject, change):
    """Whether loss and gradient stay finite when real inputs are changed; flags and symbols are left as they are."""
    parts = subject.parts()
    if all(is_whole(part) for part in parts):
        raise Untold("no input is a real number")
    if not all(map(is_finite, subject.gradient_size())):
        raise Untold("the loss or its gradient is not finite as it is")
    loss, size = subject.gradient_size(subject.given([part if is_whole(part) else change(part) for part in parts]))
    return Answer(is_finite(loss) and is_finite(size), {"loss": shown(loss), "gradient": shown(size)})


def is_finite(number):
    return number is None or abs(number) < float("inf")


def shown(number):
    return "%.3g" % number if number is not None else ""
