"""Healthy: two processes compute the gradient that one process computes for the same batch."""

import match_captions
import oracle


def difference(seed):
    pairs = match_captions.make_pairs(12, seed)
    alone, shared = (match_captions.run(*pairs, world_size=count) for count in (1, 2))
    return max(((one - two).norm() / one.norm()).item() for one, two in zip(alone, shared))


oracle.value("relative difference of the gradients", difference, at_most=1e-3)
