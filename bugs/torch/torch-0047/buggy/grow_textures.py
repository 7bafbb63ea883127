"""Learns the texture of one image with a pair of small networks, on patches of 12 x 12 pixels."""

import torch
from torch import nn


def marble(size=48, seed=11):
    generator = torch.Generator().manual_seed(seed)
    noise = torch.randn(1, 1, size // 8, size // 8, generator=generator)
    veins = nn.functional.interpolate(noise, size=size, mode="bicubic", align_corners=False)
    return torch.sin(3 * veins)


def crop(image, count, size=12):
    rows = torch.randint(image.shape[2] - size, (count,)).tolist()
    columns = torch.randint(image.shape[3] - size, (count,)).tolist()
    return torch.cat([image[:, :, y : y + size, x : x + size] for y, x in zip(rows, columns)])


class Generator(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(width, width, 3, padding=1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(width, 1, 3, padding=1),
            nn.Tanh(),
        )

    def forward(self, noise):
        return self.body(noise)


class Discriminator(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, stride=2), nn.LeakyReLU(0.2), nn.Conv2d(width, 1, 3, stride=2)
        )

    def forward(self, patches):
        return self.body(patches).mean(dim=(1, 2, 3))


def train(image, iterations=5, d_steps=2, g_steps=3, batch=16):
    net_g, net_d = Generator(), Discriminator()
    optimizer_g = torch.optim.Adam(net_g.parameters(), lr=5e-4, betas=(0.5, 0.999))
    optimizer_d = torch.optim.Adam(net_d.parameters(), lr=5e-4, betas=(0.5, 0.999))
    history = []
    for _ in range(iterations):
        for _ in range(d_steps):
            noise = torch.randn(batch, 1, 12, 12)
            fake = net_g(noise)
            err_d = net_d(fake.detach()).mean() - net_d(crop(image, batch)).mean()
            optimizer_d.zero_grad()
            err_d.backward()
            optimizer_d.step()

        for _ in range(g_steps):
            err_g = -net_d(fake).mean()
            optimizer_g.zero_grad()
            err_g.backward(retain_graph=True)
            optimizer_g.step()
        history.append((err_d.item(), err_g.item()))
        print("d %.3f  g %.3f" % history[-1])
    return history


def main():
    torch.manual_seed(2)
    return train(marble())


if __name__ == "__main__":
    main()
