"""Healthy: the accuracy that is reported is the share of pixels that the network gets right."""

import torch

import leaf_masks
import oracle


def gap(seed):
    torch.manual_seed(seed)
    model = leaf_masks.train(epochs=2)
    drawings, masks = leaf_masks.make_leaves(40, seed + 100)
    with torch.no_grad():
        right = ((model(drawings) > 0) == (masks > 0.5)).float().mean().item()
    return abs(leaf_masks.accuracy(model, drawings, masks) - right)


oracle.value("difference between the reported and the counted accuracy", gap, at_most=0.01)
