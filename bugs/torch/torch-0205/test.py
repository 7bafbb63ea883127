"""Healthy: the network explains most of the moisture of new probes."""

import oracle
import soil_probe
import torch


def unexplained(seed):
    model = soil_probe.train(seed)
    readings, moisture = soil_probe.probes(500, seed + 9000)
    with torch.no_grad():
        error = ((model(readings) - moisture) ** 2).mean().item()
    return error / moisture.var().item()


oracle.symptom("share of the variance that is not explained", unexplained, at_most=0.2, seeds=6)
