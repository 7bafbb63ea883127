"""Healthy: the loudest bird of new recordings is named in most cases."""

import loudest_bird
import oracle
import torch
from recordings import recordings


def share_named(seed):
    model = loudest_bird.train(seed)
    calls, filled, answer = recordings(400, seed + 3000)
    with torch.no_grad():
        return (model(calls, filled).argmax(1) == answer).float().mean().item()


oracle.symptom("share of recordings whose loudest bird is named", share_named, at_least=0.75, seeds=5)
