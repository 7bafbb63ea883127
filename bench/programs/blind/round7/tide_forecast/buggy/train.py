import time

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import Windows, simulate_gauge

HISTORY, HORIZON = 36, 6


class Forecaster(nn.Module):
    def __init__(self, hidden: int = 32) -> None:
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, HORIZON)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out, _ = self.lstm(x)
        return self.head(out[:, -1])


def evaluate(model: nn.Module, loader: DataLoader) -> float:
    model.eval()
    total, n = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            total += (model(x) - y).abs().sum().item()
            n += y.numel()
    return total / n


def train(model: nn.Module, train_loader: DataLoader, val_loader: DataLoader, epochs: int) -> None:
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    for epoch in range(1, epochs + 1):
        model.train()
        start, total = time.time(), 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
            scheduler.step()
        mae = evaluate(model, val_loader)
        print(f"epoch {epoch:2d} | mse {total / len(train_loader):.4f} | "
              f"val mae {mae:.4f} | {time.time() - start:.1f}s")


def main() -> None:
    torch.manual_seed(21)
    series = simulate_gauge(hours=6000, seed=21)
    cut = 4800
    mean, std = series[:cut].mean(), series[:cut].std()
    scaled = (series - mean) / std
    train_set = Windows(scaled[:cut], HISTORY, HORIZON)
    val_set = Windows(scaled[cut:], HISTORY, HORIZON)

    train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=256)
    model = Forecaster()
    train(model, train_loader, val_loader, epochs=16)

    naive = sum((x[:, -1] - y).abs().sum().item() for x, y in val_loader) / (len(val_set) * HORIZON)
    print(f"scaled units; persistence mae {naive:.4f}, model mae {evaluate(model, val_loader):.4f}")


if __name__ == "__main__":
    main()
