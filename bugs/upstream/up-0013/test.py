"""Healthy: a matrix of 8 x 64 weights is multiplied once for each of 32 x 16 tokens."""

import count_operations
import oracle


def operations(seed):
    return count_operations.count(batch=32, tokens=16, inputs=8, outputs=64)


oracle.value("multiplications", operations, equals=262144)
