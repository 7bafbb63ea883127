"""Autoencoder for vibration spectra; the best checkpoint sets the alarm level."""
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
    width: int = 48
    code: int = 6
    lr: float = 2e-3
    epochs: int = 12
    batch_size: int = 64


def spectra(n, rng, faulty=False):
    """Harmonics of a shaft frequency; a bearing fault adds side bands."""
    bins = np.arange(64)
    base = rng.uniform(6, 10, size=(n, 1))
    out = np.zeros((n, 64))
    for k in range(1, 6):
        amp = rng.uniform(0.7, 1.0, size=(n, 1)) / k
        out += amp * np.exp(-0.5 * ((bins - k * base) / 1.2) ** 2)
    if faulty:
        out += 0.5 * np.exp(-0.5 * ((bins - 3.5 * base) / 1.5) ** 2)
    return torch.tensor(out + 0.03 * rng.standard_normal(out.shape), dtype=torch.float32)


class AutoEncoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(cfg.n_bins, cfg.width), nn.GELU(),
                                 nn.Linear(cfg.width, cfg.width), nn.GELU(),
                                 nn.Linear(cfg.width, cfg.code))
        self.dec = nn.Sequential(nn.Linear(cfg.code, cfg.width), nn.GELU(),
                                 nn.Linear(cfg.width, cfg.width), nn.GELU(),
                                 nn.Linear(cfg.width, cfg.n_bins))

    def forward(self, x):
        return self.dec(self.enc(x))


def save_checkpoint(path, model, cfg, epoch, val):
    torch.save({"model": model.state_dict(), "config": cfg,
                "epoch": epoch, "val_loss": val}, path)


def load_checkpoint(path):
    ckpt = torch.load(path, map_location="cpu", weights_only=False)
    model = AutoEncoder(ckpt["config"])
    model.load_state_dict(ckpt["model"])
    return model.eval(), ckpt


def errors(model, x):
    model.eval()
    with torch.no_grad():
        return ((model(x) - x) ** 2).mean(dim=1)


def main():
    torch.manual_seed(11)
    rng = np.random.default_rng(11)
    cfg = AEConfig()
    train, val = spectra(4000, rng), spectra(600, rng)
    test_ok, test_bad = spectra(500, rng), spectra(500, rng, faulty=True)
    loader = DataLoader(TensorDataset(train), cfg.batch_size, shuffle=True)

    model = AutoEncoder(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=1e-4)
    path = os.path.join(tempfile.mkdtemp(), "best.pt")
    best = float("inf")
    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for (x,) in loader:
            loss = nn.functional.mse_loss(model(x), x)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(x)
        val_loss = errors(model, val).mean().item()
        print(f"epoch {epoch + 1:2d}  train {total / len(train):.5f}  val {val_loss:.5f}")
        if val_loss < best:
            best = val_loss
            save_checkpoint(path, model, cfg, epoch, val_loss)

    model, ckpt = load_checkpoint(path)
    limit = torch.quantile(errors(model, val), 0.98)
    print(f"best epoch {ckpt['epoch'] + 1}, alarm level {limit:.5f}")
    print(f"false alarms {(errors(model, test_ok) > limit).float().mean():.3f}")
    print(f"detected     {(errors(model, test_bad) > limit).float().mean():.3f}")


if __name__ == "__main__":
    main()
