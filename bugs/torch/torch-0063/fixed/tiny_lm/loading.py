"""Loads a checkpoint without first filling a second copy of the weights."""

import torch

from tiny_lm.model import RotaryEmbedding, TinyLM


def load_model(path, device="cpu"):
    with torch.device("meta"):
        model = TinyLM()
    weights = torch.load(path, map_location=device)
    model.load_state_dict(weights, assign=True)
    for module in model.modules():
        if isinstance(module, RotaryEmbedding):
            module.inv_freq = module.frequencies().to(device)
    return model.to(device).eval()
