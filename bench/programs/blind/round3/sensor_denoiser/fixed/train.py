import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WINDOW = 64


def make_windows(n, noise, seed):
    """Clean and noisy windows of a vibration sensor."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 1, WINDOW)
    f = rng.uniform(1, 5, size=(n, 1))
    phase = rng.uniform(0, 2 * np.pi, size=(n, 1))
    amp = rng.uniform(0.5, 1.5, size=(n, 1))
    clean = amp * np.sin(2 * np.pi * f * t + phase) + 0.4 * amp * np.sin(4 * np.pi * f * t)
    noisy = clean + noise * rng.standard_normal(clean.shape)
    return torch.tensor(noisy, dtype=torch.float32), torch.tensor(clean, dtype=torch.float32)


class Denoiser(nn.Module):
    def __init__(self, width, code):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(WINDOW, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, code),
        )
        self.decoder = nn.Sequential(
            nn.Linear(code, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, WINDOW),
        )

    def forward(self, x):
        return self.decoder(self.encoder(x))


def snr_db(clean, estimate):
    signal = clean.pow(2).mean()
    error = (clean - estimate).pow(2).mean()
    return 10 * torch.log10(signal / error).item()


def train_epoch(model, loader, optimizer, criterion):
    model.train()
    total = 0.0
    for noisy, clean in loader:
        optimizer.zero_grad()
        loss = criterion(model(noisy), clean)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(noisy)
    return total / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--noise", type=float, default=0.5)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)

    train_noisy, train_clean = make_windows(4000, args.noise, seed=1)
    test_noisy, test_clean = make_windows(800, args.noise, seed=2)
    loader = DataLoader(TensorDataset(train_noisy, train_clean), batch_size=64, shuffle=True)

    model = Denoiser(width=128, code=12)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    criterion = nn.MSELoss()
    print(f"noisy input: {snr_db(test_clean, test_noisy):.2f} dB")
    for epoch in range(args.epochs):
        loss = train_epoch(model, loader, optimizer, criterion)
        scheduler.step()
        model.eval()
        with torch.no_grad():
            snr = snr_db(test_clean, model(test_noisy))
        print(f"epoch {epoch + 1:2d}  loss {loss:.4f}  test snr {snr:.2f} dB")


if __name__ == "__main__":
    main()
