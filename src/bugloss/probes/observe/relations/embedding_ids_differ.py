"""Different inputs are looked up in different rows of an embedding.

A break means that numbers are cut off before the lookup (0.3 becomes 0), or that a constant is looked up instead. A
constant beside lookups that differ is a marker, such as the token type of a sentence that has only one.
"""

import sys

from ..relation import QUICK, Untold, broken, held

FAMILY, COST = "samples", QUICK
LEAST_VALUES = 4  # different ones in the input


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    varied = max([len(numpy.unique(part)) for part in subject.parts()] or [0])
    if varied < LEAST_VALUES or subject.size < LEAST_VALUES:
        raise Untold("the inputs have few different values")
    tried, constant = 0, None
    for step in subject.trace():
        ids = next((one for one in step.given if one.dtype.kind in "iu"), None)
        if step.operation not in ("embedding", "Embedding") or ids is None or len(ids) != subject.size:
            continue
        tried += 1
        if len(numpy.unique(ids)) > 1:
            return held(tried=tried)
        constant = constant or (step, int(ids.reshape(-1)[0]))
    if constant is None:
        raise Untold("no embedding looks up inputs")
    return broken(subject.where_of(constant[0]), id=constant[1], values=varied)
