"""Healthy: a box that is off by a little overlaps with the true one as computed by hand."""

import losses
import oracle
import torch


def off(seed):
    wanted = torch.tensor([[0.5, 0.5, 0.4, 0.4], [0.3, 0.6, 0.2, 0.2]])
    predicted = torch.tensor([[0.6, 0.5, 0.4, 0.4], [0.3, 0.6, 0.2, 0.4]])
    overlap = (0.6 + 0.5) / 2  # 0.3 * 0.4 of 0.2 with a full hull, and 0.04 of 0.08
    return abs(1 - losses.box_loss(predicted, wanted)["giou"].item() - overlap)


oracle.value("difference to the overlap computed by hand", off, at_most=1e-3)
