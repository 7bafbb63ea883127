"""Learns to match signatures with a siamese network and a contrastive loss.

A signature is a curve of 16 points. Every person has one typical curve; it comes out a little
different each time and anywhere on the sheet. The archive holds some signatures per person, and
training compares pairs from it: two by one person should lie close together, others far apart.
"""

import torch
import torch.nn.functional as F
from torch import nn

PEOPLE = 12
POINTS = 16


def typical_curves(generator):
    """One smooth curve per person: x and y of POINTS points."""
    steps = torch.randn(PEOPLE, 2, POINTS, generator=generator)
    return steps.cumsum(dim=2)


def sign(curves, times, generator):
    """``times`` signatures of every person, and who signed."""
    people = torch.arange(PEOPLE).repeat_interleave(times)
    wobble = 0.5 * torch.randn(len(people), 2, POINTS, generator=generator)
    place = 10.0 * torch.randn(len(people), 2, 1, generator=generator)
    return (curves[people] + wobble + place).flatten(1), people


class SignatureNet(nn.Module):
    def __init__(self, size=8):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2 * POINTS, 48), nn.PReLU(), nn.Linear(48, size))

    def forward(self, signatures):
        return self.layers(signatures)


class ContrastiveLoss(nn.Module):
    """Pulls pairs of the same person together and pushes others at least ``margin`` apart."""

    def __init__(self, margin=2.0):
        super().__init__()
        self.margin = margin

    def forward(self, first, second, same):
        squared_distance = (first - second).pow(2).sum(dim=1)
        gap = F.relu(self.margin - squared_distance.sqrt())
        return 0.5 * (same * squared_distance + (1 - same) * gap.pow(2)).mean()


def draw_pairs(people, count):
    """Positions of ``count`` pairs in the archive, half of them by the same person."""
    first = torch.randint(len(people), (count,))
    same_person = (people[first].unsqueeze(1) == people).float()
    same_person[count // 2 :] = 1 - same_person[count // 2 :]
    return first, torch.multinomial(same_person, 1).squeeze(1)


def train(model, signatures, people, steps=200, pairs=16):
    criterion = ContrastiveLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for _ in range(steps):
        first, second = draw_pairs(people, pairs)
        same = (people[first] == people[second]).float()
        loss = criterion(model(signatures[first]), model(signatures[second]), same)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


@torch.no_grad()
def matched(model, archive, owners, signatures, people):
    """Share of signatures whose nearest neighbour in the archive is by the same person."""
    distances = torch.cdist(model(signatures), model(archive))
    return (owners[distances.argmin(dim=1)] == people).float().mean().item()


def run(seed=0):
    """Trains on an archive; returns the last loss and the share of new signatures matched."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    curves = typical_curves(generator)
    archive, owners = sign(curves, 60, generator)
    model = SignatureNet()
    last_loss = train(model, archive, owners)
    return last_loss, matched(model, archive, owners, *sign(curves, 20, generator))


if __name__ == "__main__":
    print("last loss %.4f, matched %.3f of the new signatures" % run())
