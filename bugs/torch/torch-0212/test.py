"""Healthy: while the loss falls, the recorded norms of the gradients are above zero."""

import oracle
import watch_training


def share_above_zero(seed):
    rows = watch_training.main(seed).rows
    return sum(norm > 0 for _, norm in rows) / max(len(rows), 1)


oracle.value("share of recorded norms above zero", share_above_zero, at_least=0.99)
