"""The loss changes along its gradient as the gradient says, by central differences.

A break means a gradient that is not that of the loss: an error in a hand-written backward(), .data or in-place changes
that autograd does not see. Estimators that pass gradients through on purpose break it, too, and are left out.
"""

from ..relation import SLOW, Untold, judged

FAMILY, COST = "numbers", SLOW


def ask(subject, allowance):
    expected, measured = subject.slope()
    if not expected or abs(measured) < 1e-3 * expected:
        raise Untold("the loss does not change along its gradient: it has steps")
    ratio = measured / expected
    return judged(0.5 < ratio < 2, expected=expected, measured=measured, ratio=ratio)
