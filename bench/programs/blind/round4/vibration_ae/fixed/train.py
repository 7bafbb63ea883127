"""Autoencoder on bearing vibration spectra; high reconstruction error means damage."""
import argparse
import os
import tempfile
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class AEConfig:
    n_bins: int = 64
    hidden: int = 48
    code: int = 6
    lr: float = 2e-3


class SpectrumAE(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(cfg.n_bins, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, cfg.code))
        self.decoder = nn.Sequential(nn.Linear(cfg.code, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, cfg.n_bins))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def spectra(n, damaged, rng):
    bins = np.arange(64)
    speed = rng.uniform(5, 9, size=(n, 1))
    load = rng.uniform(0.5, 1.5, size=(n, 1))
    out = np.zeros((n, 64))
    for k in (1, 2, 3, 4):
        out += load / k * np.exp(-0.5 * ((bins - k * speed) / 1.5) ** 2)
    if damaged:
        out += rng.uniform(0.25, 0.5, size=(n, 1)) * np.exp(-0.5 * ((bins - 5.4 * speed) / 1.5) ** 2)
    out += rng.normal(0, 0.03, size=out.shape)
    return torch.tensor(out, dtype=torch.float32)


@torch.no_grad()
def errors(model, x):
    model.eval()
    return ((model(x) - x) ** 2).mean(dim=1)


def auc(negative, positive):
    wins = (positive[:, None] > negative[None, :]).float()
    return wins.mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--out", default=os.path.join(tempfile.gettempdir(), "vibration_ae"))
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    path = os.path.join(args.out, "best.pt")

    torch.manual_seed(11)
    rng = np.random.default_rng(11)
    train_x, val_x = spectra(3000, False, rng), spectra(500, False, rng)
    test_ok, test_bad = spectra(500, False, rng), spectra(500, True, rng)

    cfg = AEConfig()
    model = SpectrumAE(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    loader = DataLoader(TensorDataset(train_x), batch_size=args.batch_size, shuffle=True)

    best = float("inf")
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for (x,) in loader:
            loss = nn.functional.mse_loss(model(x), x)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        val = errors(model, val_x).mean().item()
        if val < best:
            best = val
            torch.save({"config": cfg, "model": model.state_dict(), "epoch": epoch, "val": val}, path)
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: train {total / len(loader):.5f}  val {val:.5f}")

    # score the test machines with the best epoch
    checkpoint = torch.load(path, map_location="cpu", weights_only=False)
    model = SpectrumAE(checkpoint["config"])
    model.load_state_dict(checkpoint["model"])
    print(f"best epoch {checkpoint['epoch'] + 1}, val {checkpoint['val']:.5f}")
    print(f"AUC damaged vs healthy: {auc(errors(model, test_ok), errors(model, test_bad)):.3f}")


if __name__ == "__main__":
    main()
