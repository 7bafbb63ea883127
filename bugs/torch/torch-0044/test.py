"""Healthy: a network that only reads gives the same scores for the same images."""

import oracle
import read_gauges
import torch


def spread(seed):
    model = read_gauges.GaugeNet().eval()
    images, _ = read_gauges.photograph(60, torch.Generator().manual_seed(seed))
    with torch.no_grad():
        return (model(images) - model(images)).abs().max().item()


oracle.value("largest difference between two passes", spread, at_most=1e-6)
