import torch

from sequences import MASK

IGNORE = -100


def mask_tokens(ids, rate, generator=None):
    """Hide a random part of the residues; the labels keep the hidden ones only."""
    chosen = torch.rand(ids.shape, generator=generator) < rate
    inputs = ids
    inputs[chosen] = MASK
    labels = torch.where(chosen, ids, torch.full_like(ids, IGNORE))
    return inputs, labels
