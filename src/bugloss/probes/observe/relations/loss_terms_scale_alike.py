"""All terms of a loss scale in the same way with the number of samples: for a doubled batch each stays or each doubles.

A break means that one is a sum and another a mean, so that their balance changes with the batch size.
"""

from ..relation import QUICK, Untold, broken, held

FAMILY, COST = "gradients of loss terms", QUICK


def ask(subject, allowance):
    once, twice = subject.terms(), subject.terms(doubled=True)
    pairs = [
        (one, other.value / one.value) for one, other in zip(once, twice) if one.of_output and abs(one.value) > 1e-9
    ]
    if len(once) != len(twice) or len(pairs) < 2:
        raise Untold("the loss is not a sum of several terms of the output")
    summed = [one for one, ratio in pairs if abs(ratio - 2) < 0.1]
    means = [one for one, ratio in pairs if abs(ratio - 1) < 0.1]
    if summed and means:
        return broken(summed[0].where, value=summed[0].value, other=means[0].value, terms=len(pairs))
    return held(terms=len(pairs))
