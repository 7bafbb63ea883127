"""Healthy: the metric counts the events that the network gives a probability above one half."""

import detect_sounds
import oracle
import torch


class Fixed(torch.nn.Module):
    """Scores of given probabilities."""

    def __init__(self, probabilities):
        super().__init__()
        self.scores = torch.logit(probabilities)

    def forward(self, bands):
        return self.scores


def f1(seed):
    generator = torch.Generator().manual_seed(seed)
    events = (torch.rand(10, 30, detect_sounds.EVENTS, generator=generator) < 0.3).float()
    certain = torch.where(events > 0, 0.58, 0.42)
    return detect_sounds.evaluate(Fixed(certain), torch.zeros(10, 30, detect_sounds.BANDS), events)[0]


oracle.value("F1 of a network that is right about every event", f1, at_least=0.99)
