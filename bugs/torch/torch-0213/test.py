"""Healthy: a leaf looks the same each time it is read."""

import leaves
import oracle


def difference(seed):
    stored = leaves.Leaves(*leaves.collect(20, seed))
    first = [stored[number][0].clone() for number in range(len(stored))]
    second = [stored[number][0].clone() for number in range(len(stored))]
    return max((one - other).abs().max().item() for one, other in zip(first, second))


oracle.value("largest difference between two readings", difference, at_most=0.0)
