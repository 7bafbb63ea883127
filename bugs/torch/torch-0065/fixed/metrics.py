"""Metrics of sound event detection, frame by frame."""

import torch


def f1_per_frame(y_hat, y_true):
    """F1 of all events and frames; an event counts as found from a probability of 0.5 on."""
    found = y_hat > 0.5
    present = y_true > 0.5
    tp = (found & present).sum().item()
    fp = (found & ~present).sum().item()
    fn = (~found & present).sum().item()
    return 2 * tp / max(2 * tp + fp + fn, 1)


def error_rate_per_frame(y_hat, y_true):
    """Substitutions, deletions and insertions over the number of events present."""
    found, present = y_hat > 0.5, y_true > 0.5
    fn = (~found & present).sum(dim=-1)
    fp = (found & ~present).sum(dim=-1)
    wrong = torch.maximum(fn, fp).sum().item()
    return wrong / max(present.sum().item(), 1)
