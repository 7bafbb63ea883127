import os
import tempfile
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    epochs: int = 15
    batch_size: int = 64
    lr: float = 3e-3
    hidden: int = 64
    seed: int = 21


def make_data(n, rng):
    hour = rng.uniform(0, 24, n)
    temp = rng.normal(15, 8, n)
    wind = rng.gamma(2.0, 4.0, n)
    weekend = rng.integers(0, 2, n)
    rush = np.exp(-(hour - 8) ** 2 / 4) + 1.2 * np.exp(-(hour - 17) ** 2 / 6)
    demand = 50 + 200 * rush * (1 - 0.7 * weekend) + 3 * temp - 2 * wind + rng.normal(0, 8, n)
    x = np.stack([np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi),
                  temp, wind, weekend], axis=1)
    return x.astype(np.float32), demand.astype(np.float32)


def build(cfg, n_in):
    return nn.Sequential(nn.Linear(n_in, cfg.hidden), nn.ReLU(),
                         nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU(),
                         nn.Linear(cfg.hidden, 1))


def val_loss(model, loader, loss_fn):
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in loader:
            losses.append(loss_fn(model(x).squeeze(1), y).item())
    return np.mean(losses)


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    rng = np.random.default_rng(cfg.seed)
    x, y = make_data(4000, rng)
    mean, std = x[:2800].mean(0), x[:2800].std(0)
    y_mean, y_std = y[:2800].mean(), y[:2800].std()
    x = torch.from_numpy((x - mean) / std)
    t = torch.from_numpy((y - y_mean) / y_std)
    train_loader = DataLoader(TensorDataset(x[:2800], t[:2800]), cfg.batch_size, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[2800:3400], t[2800:3400]), 200)

    model = build(cfg, x.shape[1])
    loss_fn = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    path = os.path.join(tempfile.mkdtemp(), "best.pt")
    best = float("inf")
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        for xb, yb in train_loader:
            optimizer.zero_grad()
            loss = loss_fn(model(xb).squeeze(1), yb)
            loss.backward()
            optimizer.step()
        current = val_loss(model, val_loader, loss_fn)
        print(f"epoch {epoch:2d} val mse {current:.4f}")
        if current < best:
            best = current
            torch.save({"model": model.state_dict(), "epoch": epoch, "val_mse": best}, path)

    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])
    model.eval()
    with torch.no_grad():
        pred = model(x[3400:]).squeeze(1).numpy() * y_std + y_mean
    print(f"best epoch {checkpoint['epoch']} (val mse {checkpoint['val_mse']:.4f})")
    print(f"test MAE {np.abs(pred - y[3400:]).mean():.2f} bikes, baseline {np.abs(y_mean - y[3400:]).mean():.2f}")


if __name__ == "__main__":
    main()
