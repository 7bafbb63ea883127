"""GAN on a two-dimensional mixture of four blobs."""
import numpy as np
import torch
from torch import nn

CENTERS = np.array([[1.5, 1.5], [-1.5, 1.5], [-1.5, -1.5], [1.5, -1.5]], dtype=np.float32)
SPREAD = 0.25


def sample_real(count, rng):
    which = rng.integers(0, len(CENTERS), count)
    return torch.from_numpy(CENTERS[which] + rng.normal(0, SPREAD, (count, 2)).astype(np.float32))


def mlp(inputs, outputs, width=64):
    return nn.Sequential(nn.Linear(inputs, width), nn.LeakyReLU(0.2),
                         nn.Linear(width, width), nn.LeakyReLU(0.2),
                         nn.Linear(width, outputs))


class GAN:
    def __init__(self, noise=8, lr=1e-3):
        self.noise = noise
        self.gen = mlp(noise, 2)
        self.disc = mlp(2, 1)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.disc.parameters(), lr=lr, betas=(0.5, 0.999))
        self.bce = nn.BCEWithLogitsLoss()

    def train_step(self, real):
        count = len(real)
        ones, zeros = torch.ones(count, 1), torch.zeros(count, 1)
        fake = self.gen(torch.randn(count, self.noise)).detach()

        d_loss = self.bce(self.disc(real), ones) + self.bce(self.disc(fake), zeros)
        self.opt_d.zero_grad()
        d_loss.backward()
        self.opt_d.step()

        g_loss = self.bce(self.disc(fake), ones)
        self.opt_g.zero_grad()
        g_loss.backward()
        self.opt_g.step()
        return d_loss.item(), g_loss.item()

    @torch.no_grad()
    def report(self, count=2000):
        points = self.gen(torch.randn(count, self.noise)).numpy()
        dist = np.linalg.norm(points[:, None] - CENTERS[None], axis=2)
        near = dist.min(1) < 3 * SPREAD
        share = np.bincount(dist.argmin(1)[near], minlength=len(CENTERS)) / count
        return near.mean(), share


def main():
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    gan = GAN()
    for step in range(1, 2001):
        d_loss, g_loss = gan.train_step(sample_real(128, rng))
        if step % 250 == 0:
            quality, share = gan.report()
            print(f"step {step:5d} d {d_loss:.3f} g {g_loss:.3f} near a blob {quality:.3f} shares {np.round(share, 2)}")


if __name__ == "__main__":
    main()
