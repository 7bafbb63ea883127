"""Healthy: without noise the level is estimated closely."""

import fit_decay
import oracle
import torch


def mean_squared_error(seed):
    model = fit_decay.calibrate(seed)
    readings, levels = fit_decay.read(1000, seed + 3000, noise=0)
    with torch.no_grad():
        return torch.nn.functional.mse_loss(model(readings)[:, 0], levels).item()


oracle.value("mean squared error without noise", mean_squared_error, at_most=0.08)
