"""Healthy: the score of two places depends on their distance only, as rotary positions promise."""

import oracle
import relative_scores
import torch


def spread(seed):
    """The largest difference of scores at one distance, relative to the size of the scores."""
    vector = torch.randn(32)
    found = relative_scores.scores(vector, 64)
    rows = [torch.diagonal(found, -distance) for distance in range(60)]
    return max((row.max() - row.min()).item() for row in rows) / vector.square().sum().item()


oracle.value("spread of the scores at one distance", spread, at_most=1e-4)
