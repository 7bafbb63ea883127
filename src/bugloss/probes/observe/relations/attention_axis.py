"""Weights of attention add up to one over the keys that they are multiplied with.

A break means softmax over the queries: each key is shared out, and no query gets a mean of values.
"""

import sys

from ..relation import QUICK, Untold, broken, held

FAMILY, COST = "masks, padding, time", QUICK
PRODUCTS = ("matmul", "bmm", "__matmul__", "einsum", "baddbmm")


def ask(subject, allowance):
    numpy = sys.modules["numpy"]
    weights, tried = [], 0
    for step in subject.trace():
        if "softmax" in step.operation and step.values.ndim > 2 and step.values.shape[-1] == step.values.shape[-2] > 1:
            weights.append(step)
        if step.operation in PRODUCTS and step.given:
            left = step.given[0]
            maker = next((one for one in weights if same(numpy, one.values, left)), None)
            if maker is not None:
                tried += 1
                if not sums_to_one(left, -1) and sums_to_one(left, -2):
                    return broken(subject.where_of(maker), axis="queries", shape=list(left.shape))
    if not tried:
        raise Untold("no attention is seen")
    return held(tried=tried)


def same(numpy, one, other):
    return one.shape == other.shape and bool(numpy.array_equal(one, other))


def sums_to_one(values, axis):
    return bool((abs(values.sum(axis=axis) - 1) < 1e-3).all())
