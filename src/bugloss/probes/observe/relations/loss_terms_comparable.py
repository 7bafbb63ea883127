"""The gradients of the summands of a loss are within four orders of magnitude.

A break means that one of them decides alone. It may be meant; often one is a sum over pixels and the other a mean.
"""

from ..relation import QUICK, Untold, judged

FAMILY, COST = "gradients of loss terms", QUICK
MOST_RATIO = 1e4


def ask(subject, allowance):
    terms = [term for term in subject.terms() if term.of_output and term.gradient]
    if len(terms) < 2:
        raise Untold("the loss is not a sum of several terms of the output")
    low, high = (choose(terms, key=lambda term: term.gradient) for choose in (min, max))
    ratio = high.gradient / low.gradient
    return judged(ratio < MOST_RATIO, lambda: high.where, largest=high.gradient, smallest=low.gradient, ratio=ratio)
