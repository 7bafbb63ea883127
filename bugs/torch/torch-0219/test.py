"""Healthy: after training, the newest checkpoint is a model that can be used."""

import tempfile

import oracle
import torch
import train_vowels


def share_of_finite_weights(seed):
    checkpoints = train_vowels.train(tempfile.mkdtemp(), seed)
    weights = torch.cat([weight.flatten() for weight in torch.load(checkpoints.newest()).values()])
    return torch.isfinite(weights).float().mean().item()


oracle.value("share of finite weights in the newest checkpoint", share_of_finite_weights, at_least=1.0)
