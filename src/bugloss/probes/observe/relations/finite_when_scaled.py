"""With inputs ten times as large the loss and its gradient are finite.

A break means exponentials without a guard, as in a hand-written softmax: another unit of the data is enough.
"""

from ..relation import QUICK
from . import gradient_finite_at_zero

FAMILY, COST = "numbers", QUICK


def ask(subject, allowance):
    return gradient_finite_at_zero.finite_for(subject, lambda part: 10 * part)
