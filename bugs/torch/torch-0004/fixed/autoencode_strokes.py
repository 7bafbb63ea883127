"""A variational autoencoder for 8 x 8 drawings of a single pen stroke.

After training on the processor, a dry run moves a copy of the network to another device and looks
at the shapes that come out there, before anybody pays for that device.
"""

import copy

import torch
import torch.nn.functional as F
from torch import nn

SIZE = 8
PIXELS = SIZE * SIZE


def draw_strokes(count):
    """``count`` flattened drawings, each one straight stroke through the middle."""
    angles = torch.pi * torch.rand(count, 1)
    steps = torch.linspace(-3, 3, 13)
    rows = (3.5 + steps * torch.sin(angles)).round().long()
    columns = (3.5 + steps * torch.cos(angles)).round().long()
    drawings = torch.zeros(count, PIXELS)
    return drawings.scatter_(1, rows * SIZE + columns, 1.0)


def two_layers(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


class VariationalAutoencoder(nn.Module):
    def __init__(self, batch_size, code_size=4, hidden=64):
        super().__init__()
        self.encoder = two_layers(PIXELS, hidden, 2 * code_size)
        self.decoder = two_layers(code_size, hidden, PIXELS)
        self.register_buffer("noise", torch.randn(batch_size, code_size))

    def forward(self, drawings):
        mean, log_variance = self.encoder(drawings).chunk(2, dim=1)
        if self.training:
            self.noise.normal_()
        code = mean + self.noise * torch.exp(0.5 * log_variance)
        return self.decoder(code), mean, log_variance


def negative_bound(drawings, logits, mean, log_variance):
    reconstruction = F.binary_cross_entropy_with_logits(logits, drawings, reduction="sum")
    divergence = 0.5 * (mean**2 + log_variance.exp() - 1 - log_variance).sum()
    return (reconstruction + divergence) / len(drawings)


def train(model, batch_size, steps=200):
    """Trains the model in place and returns the loss of every step."""
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    losses = []
    for _ in range(steps):
        drawings = draw_strokes(batch_size)
        loss = negative_bound(drawings, *model(drawings))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def dry_run(model, batch_size, device):
    """The shape of a batch of reconstructions on ``device``."""
    moved = copy.deepcopy(model).to(device)
    drawings = torch.empty(batch_size, PIXELS, device=device)
    logits, _, _ = moved(drawings)
    return tuple(logits.shape)


def main(device="meta", batch_size=32):
    model = VariationalAutoencoder(batch_size)
    losses = train(model, batch_size)
    print("loss: %.1f at first, %.1f at last" % (losses[0], losses[-1]))
    print("output on %s: %s" % (device, dry_run(model, batch_size, device)))


if __name__ == "__main__":
    main()
