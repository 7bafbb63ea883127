"""Removes noise from grey pictures with a small convolutional network."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIZE = 48


def paint_pictures(count, generator):
    """``count`` smooth pictures, 1 x SIZE x SIZE: coarse random grey values, blown up."""
    coarse = torch.rand(count, 1, 6, 6, generator=generator)
    return F.interpolate(coarse, size=(SIZE, SIZE), mode="bilinear", align_corners=False)


class Denoiser(nn.Module):
    """Estimates the noise in a picture and takes it away."""

    def __init__(self, channels=16):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(channels, 1, 3, padding=1),
        )

    def forward(self, noisy):
        return noisy - self.layers(noisy)


def add_noise(pictures, sigma):
    return pictures + sigma * torch.randn_like(pictures)


def train(model, pictures, epochs=6, sigma=0.2):
    """Trains the model in place and returns the mean loss of the last epoch."""
    loader = DataLoader(TensorDataset(pictures), batch_size=16, shuffle=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for _ in range(epochs):
        train_losses = 0.0
        for (clean,) in loader:
            loss = F.mse_loss(model(add_noise(clean, sigma)), clean)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            train_losses += loss.item()
    return train_losses / len(loader)


def validate(model, pictures, sigma=0.2):
    """The mean loss over pictures that the model was not trained on."""
    loader = DataLoader(TensorDataset(pictures), batch_size=16)
    model.eval()
    val_losses = 0.0
    for (clean,) in loader:
        val_loss = F.mse_loss(model(add_noise(clean, sigma)), clean)
        val_losses += val_loss
    model.train()
    return val_losses / len(loader)


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = Denoiser()
    print("training loss %.5f" % train(model, paint_pictures(96, generator)))
    print("validation loss %.5f" % validate(model, paint_pictures(480, generator)))


if __name__ == "__main__":
    main()
