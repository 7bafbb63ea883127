"""House price regression on a synthetic listing table."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(42)
np.random.seed(42)
torch.set_num_threads(1)


def load_listings(n=3000):
    area = np.random.normal(120, 35, n).clip(30, 300)
    rooms = np.round(area / 30 + np.random.normal(0, 0.8, n)).clip(1, 10)
    year = np.random.randint(1930, 2022, n)
    dist = np.random.exponential(6.0, n)
    garden = np.random.binomial(1, 0.4, n)
    price = (2200 * area + 9000 * rooms + 600 * (year - 1930)
             - 7000 * dist + 25000 * garden
             + 9 * (area - 120) ** 2 + np.random.normal(0, 12000, n))
    features = np.column_stack([area, rooms, year, dist, garden]).astype(np.float32)
    return features, price.astype(np.float32).reshape(-1, 1)


def prepare():
    x, y = load_listings()
    x_train, x_val = x[:2400], x[2400:]
    y_train, y_val = y[:2400], y[2400:]
    mean, std = x_train.mean(0), x_train.std(0)
    x_train, x_val = (x_train - mean) / std, (x_val - mean) / std
    y_mean, y_std = y_train.mean(), y_train.std()
    y_train, y_val = (y_train - y_mean) / y_std, (y_val - y_mean) / y_std
    return [torch.from_numpy(np.float32(a)) for a in (x_train, y_train, x_val, y_val)]


class PriceNet(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_features, 64),
            nn.ReLU(),
            nn.Linear(64, 64),
            nn.ReLU(),
            nn.Linear(64, 1),
        )

    def forward(self, x):
        return self.net(x)


def r2_score(model, x, y):
    model.eval()
    with torch.no_grad():
        err = ((model(x) - y) ** 2).sum()
        return (1 - err / ((y - y.mean()) ** 2).sum()).item()


def main(epochs=25):
    x_train, y_train, x_val, y_val = prepare()
    loader = DataLoader(TensorDataset(x_train, y_train), batch_size=32, shuffle=True)
    model = PriceNet(x_train.shape[1])
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    for epoch in range(epochs):
        model.train()
        total = 0.0
        for xb, yb in loader:
            pred = model(xb)
            loss = criterion(pred, yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch + 1:02d}  train mse {total / len(loader):.4f}  "
              f"val R2 {r2_score(model, x_val, y_val):.4f}")


if __name__ == "__main__":
    main()
