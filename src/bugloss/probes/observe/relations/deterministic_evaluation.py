"""In evaluation mode the same batch gives the same outputs, asked twice of one copy.

A break means dropout or noise that does not follow the mode.
"""

from ..relation import QUICK, judged, largest

FAMILY, COST = "modes", QUICK


def ask(subject, allowance):
    first, second = subject.two_answers()
    change = largest(first - second)
    return judged(change <= 1e-6 * (1 + largest(first)), largest_change=change)
