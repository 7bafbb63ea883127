"""Healthy: the hit rate of five readers, of whom one gets the right book, is 0.2."""

import evaluate
import oracle
import torch
from catalogue import HeldOutBooks


class OnlyFirst(torch.nn.Module):
    """Recommends book 3 to everybody."""

    def forward(self, readers):
        scores = torch.zeros(len(readers), 6)
        scores[:, 3] = 1.0
        return scores


def rate(seed):
    dataset = HeldOutBooks(torch.tensor([3, 0, 1, 2, 4]))
    return round(evaluate.hit_rate(OnlyFirst(), dataset, top=1, world_size=2), 4)


oracle.value("hit rate with two processes", rate, equals=0.2)
