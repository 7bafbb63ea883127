"""Wasserstein GAN on points around eight towns placed on a circle."""
import math

import torch
from torch import autograd, nn, optim

SETTINGS = {
    "batch": 128,
    "noise_dim": 8,
    "width": 64,
    "critic_steps": 4,
    "gp_weight": 1.0,
    "lr": 1e-3,
    "iterations": 1250,
    "seed": 2,
}


def sample_towns(n):
    k = torch.randint(0, 8, (n,))
    angle = k.float() * (2 * math.pi / 8)
    centres = torch.stack([angle.cos(), angle.sin()], dim=1) * 2.0
    return centres + 0.12 * torch.randn(n, 2)


def mlp(n_in, width, n_out):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.LeakyReLU(0.1),
        nn.Linear(width, width), nn.LeakyReLU(0.1),
        nn.Linear(width, width), nn.LeakyReLU(0.1),
        nn.Linear(width, n_out),
    )


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mixed)
    grad = autograd.grad(score.sum(), mixed, create_graph=True)[0]
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


def coverage(points):
    """Number of towns that get at least 4% of the points, and the share of points close to a town."""
    angle = torch.arange(8).float() * (2 * math.pi / 8)
    centres = torch.stack([angle.cos(), angle.sin()], dim=1) * 2.0
    dist, nearest = torch.cdist(points, centres).min(dim=1)
    close = dist < 0.4
    counts = torch.bincount(nearest[close], minlength=8).float() / len(points)
    return int((counts > 0.04).sum()), close.float().mean().item()


class WGAN:
    def __init__(self, s):
        self.s = s
        self.G = mlp(s["noise_dim"], s["width"], 2)
        self.C = mlp(2, s["width"], 1)
        self.opt_g = optim.Adam(self.G.parameters(), lr=s["lr"], betas=(0.0, 0.9))
        self.opt_c = optim.Adam(self.C.parameters(), lr=s["lr"], betas=(0.0, 0.9))

    def noise(self, n=None):
        return torch.randn(n or self.s["batch"], self.s["noise_dim"])

    def critic_step(self):
        real = sample_towns(self.s["batch"])
        with torch.no_grad():
            fake = self.G(self.noise())
        distance = self.C(real).mean() - self.C(fake).mean()
        loss = -distance + self.s["gp_weight"] * gradient_penalty(self.C, real, fake)
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        return distance.item()

    def generator_step(self):
        loss = -self.C(self.G(self.noise())).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def train(self):
        for it in range(1, self.s["iterations"] + 1):
            for _ in range(self.s["critic_steps"]):
                distance = self.critic_step()
            g_loss = self.generator_step()
            if it % 250 == 0:
                with torch.no_grad():
                    towns, close = coverage(self.G(self.noise(2000)))
                print(f"iter {it}: critic distance {distance:.3f}  g loss {g_loss:.3f}  "
                      f"towns {towns}/8  close {close:.2f}")


if __name__ == "__main__":
    torch.manual_seed(SETTINGS["seed"])
    WGAN(SETTINGS).train()
