"""Price per square metre from location and building features."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 21


def make_listings(n, rng):
    x = rng.uniform(-1, 1, size=(n, 8)).astype(np.float32)
    lat, lon, area, age = x[:, 0], x[:, 1], x[:, 2], x[:, 3]
    centre = np.exp(-4 * ((lat - 0.3) ** 2 + (lon + 0.2) ** 2))
    river = np.sin(5 * lat + 3 * lon)
    heritage = np.where((age > 0.6) & (centre > 0.3), 0.8, 0.0)
    price = 3 * centre + river + 1.2 * area * lat - 0.7 * age + heritage
    price = price + 0.8 * x[:, 4] * np.abs(x[:, 5]) + 0.1 * rng.standard_normal(n)
    return x, price.astype(np.float32)


class PriceNet(nn.Module):
    """Plain MLP whose depth can be chosen."""

    def __init__(self, in_dim, width=32, depth=5):
        super().__init__()
        self.inp = nn.Linear(in_dim, width)
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(width, width), nn.ReLU()) for _ in range(depth))
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        for block in self.blocks:
            h = block(h)
        return self.out(h).squeeze(-1)


def r2_score(model, x, y):
    model.eval()
    with torch.no_grad():
        pred = model(x)
    return 1 - ((y - pred) ** 2).sum().item() / ((y - y.mean()) ** 2).sum().item()


def train(model, loader, x_val, y_val, epochs=25):
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    loss_fn = nn.MSELoss()
    for epoch in range(epochs):
        model.train()
        running = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(xb)
        scheduler.step()
        if (epoch + 1) % 5 == 0:
            print(f"epoch {epoch + 1:3d}  mse {running / len(loader.dataset):.4f}  "
                  f"val R2 {r2_score(model, x_val, y_val):.3f}")


def main():
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    x, y = make_listings(7000, rng)
    x_tr, x_val, x_te = (torch.from_numpy(a) for a in np.split(x, [5000, 6000]))
    y_tr, y_val, y_te = np.split(y, [5000, 6000])
    mean, std = y_tr.mean(), y_tr.std()
    y_tr, y_val, y_te = (torch.from_numpy((a - mean) / std) for a in (y_tr, y_val, y_te))

    loader = DataLoader(TensorDataset(x_tr, y_tr), batch_size=64, shuffle=True)
    model = PriceNet(x.shape[1])
    train(model, loader, x_val, y_val)
    print(f"test R2 {r2_score(model, x_te, y_te):.3f}")


if __name__ == "__main__":
    main()
