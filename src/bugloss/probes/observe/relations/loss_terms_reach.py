"""Each summand of a loss that is computed from outputs has a gradient for some parameter.

A break means that it is detached, or goes through argmax or rounding: it is added, and teaches nothing.
"""

from ..relation import QUICK, Untold, broken, held

FAMILY, COST = "gradients of loss terms", QUICK


def ask(subject, allowance):
    terms = [term for term in subject.terms() if term.of_output]
    if len(terms) < 2 or all(term.gradient is None for term in terms):
        raise Untold("the loss is not a sum of several terms of the output")
    idle = [term for term in terms if term.gradient is None]
    if idle:
        return broken(idle[0].where, term=idle[0].name, value=idle[0].value, terms=len(terms))
    return held(terms=len(terms))
