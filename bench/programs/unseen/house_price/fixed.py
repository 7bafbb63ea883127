"""Predict (standardised log) house prices from tabular listings."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

np.random.seed(1)
torch.manual_seed(1)


def load_listings(n=4000):
    area = np.random.gamma(6.0, 18.0, n)
    rooms = np.clip(np.round(area / 28 + np.random.randn(n)), 1, 9)
    age = np.random.uniform(0, 90, n)
    distance = np.random.exponential(6.0, n)
    garden = np.random.binomial(1, 0.4, n)
    log_price = (0.9 * np.log(area) + 0.04 * rooms - 0.004 * age
                 - 0.05 * distance + 0.12 * garden * (distance > 4)
                 + 0.08 * np.random.randn(n))
    x = np.stack([area, rooms, age, distance, garden], axis=1)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    y = (log_price - log_price.mean()) / log_price.std()
    return x.astype(np.float32), y.astype(np.float32)


class Listings(Dataset):
    def __init__(self, x, y):
        self.x = torch.from_numpy(x)
        self.y = torch.from_numpy(y)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class PriceNet(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_features, 64), nn.ReLU(),
            nn.Linear(64, 32), nn.ReLU(),
        )
        self.out = nn.Linear(32, 1)

    def forward(self, x):
        return self.out(self.body(x))


def squared_error(pred, target):
    return ((pred - target) ** 2).mean()


def r2_score(model, x, y):
    model.eval()
    with torch.no_grad():
        pred = model(torch.from_numpy(x)).numpy().ravel()
    return 1.0 - ((y - pred) ** 2).sum() / ((y - y.mean()) ** 2).sum()


def main():
    x, y = load_listings()
    x_train, y_train, x_val, y_val = x[:3200], y[:3200], x[3200:], y[3200:]
    loader = DataLoader(Listings(x_train, y_train), batch_size=64, shuffle=True)
    model = PriceNet(x.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    for epoch in range(9):
        model.train()
        losses = []
        for xb, yb in loader:
            pred = model(xb)
            loss = squared_error(pred, yb.unsqueeze(1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1:2d}: train mse {np.mean(losses):.4f}, "
              f"val R2 {r2_score(model, x_val, y_val):.3f}")


if __name__ == "__main__":
    main()
