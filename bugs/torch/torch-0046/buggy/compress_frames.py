"""A variational autoencoder that compresses frames of a car game into eight numbers."""

import torch
import torch.nn.functional as F
from torch import nn


def drive(count, generator, size=16):
    """Frames with a road that bends, a car on it and the sky above."""
    rows = torch.arange(size).view(1, size, 1)
    columns = torch.arange(size).view(1, 1, size)
    bend = 4 * torch.rand(count, 1, 1, generator=generator) - 2
    start = 5 + 6 * torch.rand(count, 1, 1, generator=generator)
    middle = start + bend * (rows / size) ** 2 * 3
    road = ((columns - middle).abs() < 2.5).float() * (rows > 4)
    return (0.8 * road + 0.2 * (rows <= 4)).view(count, -1)


class FrameVAE(nn.Module):
    def __init__(self, pixels=256, hidden=96, codes=8):
        super().__init__()
        self.encode_hidden = nn.Linear(pixels, hidden)
        self.mean = nn.Linear(hidden, codes)
        self.logvar = nn.Linear(hidden, codes)
        self.decode_hidden = nn.Linear(codes, hidden)
        self.pixels = nn.Linear(hidden, pixels)

    def encode(self, frames):
        hidden = F.relu(self.encode_hidden(frames))
        return self.mean(hidden), self.logvar(hidden)

    def decode(self, codes):
        return torch.sigmoid(self.pixels(F.relu(self.decode_hidden(codes))))

    def forward(self, frames):
        mean, logvar = self.encode(frames)
        codes = mean + torch.exp(0.5 * logvar) * torch.randn_like(mean)
        return self.decode(codes), mean, logvar


def vae_loss(reconstructed, frames, mean, logvar):
    r_loss = (reconstructed - frames).pow(2).mean()
    kl_loss = -0.5 * (1 + logvar - mean.pow(2) - logvar.exp()).sum(dim=1).mean()
    return r_loss + kl_loss, r_loss, kl_loss


def train(model, frames, epochs=25, batch_size=50):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(epochs):
        for rows in torch.randperm(len(frames)).split(batch_size):
            reconstructed, mean, logvar = model(frames[rows])
            loss, r_loss, kl_loss = vae_loss(reconstructed, frames[rows], mean, logvar)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: loss {loss.item():.4f}  r_loss {r_loss.item():.4f}  kl_loss {kl_loss.item():.2e}")


def main(seed=0):
    """Error of reconstructed new frames, relative to showing the mean frame each time."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    frames, new = drive(500, generator), drive(200, generator)
    model = FrameVAE()
    train(model, frames)
    with torch.no_grad():
        shown = model.decode(model.encode(new)[0])
    return F.mse_loss(shown, new).item() / F.mse_loss(frames.mean(0).expand_as(new), new).item()


if __name__ == "__main__":
    print(f"relative error: {main():.3f}")
