"""Structured pruning: removes the weakest hidden neurons and makes the layers smaller."""

import torch
from torch import nn


def keep_strongest(layer, share):
    strength = layer.weight.detach().abs().sum(dim=1)
    count = max(1, int(share * len(strength)))
    return strength.topk(count).indices.sort().values


def speedup_model(model, share=0.5):
    """Replaces the hidden layers of a ``PruneNet`` by smaller ones with the weights that are kept."""
    kept = keep_strongest(model.fc1, share)
    fc1 = nn.Linear(model.fc1.in_features, len(kept))
    fc2 = nn.Linear(len(kept), model.fc2.out_features)
    with torch.no_grad():
        fc1.weight.copy_(model.fc1.weight[kept])
        fc1.bias.copy_(model.fc1.bias[kept])
        fc2.weight.copy_(model.fc2.weight[:, kept])
        fc2.bias.copy_(model.fc2.bias)
    model.fc1, model.fc2 = fc1, fc2
    return model
