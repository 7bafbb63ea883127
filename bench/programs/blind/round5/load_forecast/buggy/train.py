"""Day-ahead electricity load forecasting with a small GRU."""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from windows import WindowDataset, make_series


@dataclass
class Config:
    hours: int = 4000
    context: int = 72
    horizon: int = 12
    hidden: int = 32
    batch_size: int = 64
    epochs: int = 12
    lr: float = 3e-3
    seed: int = 0


class Forecaster(nn.Module):
    def __init__(self, hidden, horizon):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, horizon)

    def forward(self, past):
        _, h = self.gru(past.unsqueeze(-1))
        return self.head(h[-1])


def evaluate(model, loader, std):
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for past, future in loader:
            total += (model(past) - future).abs().sum().item()
            count += future.numel()
    return std * total / count


def main(cfg):
    torch.manual_seed(cfg.seed)
    series = make_series(cfg.hours, cfg.seed)

    # chronological split, scaling statistics from the training part only
    cut = int(0.8 * len(series))
    mean, std = series[:cut].mean(), series[:cut].std()
    series = (series - mean) / std
    train_set = WindowDataset(series[:cut], cfg.context, cfg.horizon)
    val_set = WindowDataset(series[cut:], cfg.context, cfg.horizon)
    train_loader = DataLoader(train_set, cfg.batch_size, shuffle=True)
    val_loader = DataLoader(val_set, 256)

    model = Forecaster(cfg.hidden, cfg.horizon)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    loss_fn = nn.MSELoss()

    naive = np.abs(series[cut + 24:] - series[cut:-24]).mean() * std
    print(f"seasonal naive MAE {naive:.3f} MW")

    for epoch in range(cfg.epochs):
        model.train()
        losses = []
        for past, future in train_loader:
            loss = loss_fn(model(past), future)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: train mse {np.mean(losses):.4f}  "
              f"val MAE {evaluate(model, val_loader, std):.3f} MW")


if __name__ == "__main__":
    main(Config())
