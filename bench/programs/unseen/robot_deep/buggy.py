"""Deep MLP: which of 6 manoeuvres does a robot perform, from 20 IMU features."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(21)
np.random.seed(21)

N_FEATURES, N_CLASSES = 20, 6


def make_imu_data(n=4000):
    centers = np.random.randn(N_CLASSES * 2, N_FEATURES) * 1.1
    cluster = np.random.randint(0, N_CLASSES * 2, n)
    x = centers[cluster] + np.random.randn(n, N_FEATURES) * 0.8
    y = cluster % N_CLASSES
    x = (x - x.mean(0)) / x.std(0)
    return TensorDataset(torch.tensor(x, dtype=torch.float32),
                         torch.tensor(y, dtype=torch.long))


class DeepNet(nn.Module):
    def __init__(self, width=48, depth=8):
        super().__init__()
        layers = []
        in_features = N_FEATURES
        for _ in range(depth):
            layers.append(nn.Linear(in_features, width))
            layers.append(nn.Sigmoid())
            in_features = width
        layers.append(nn.Linear(width, N_CLASSES))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    loss_sum, n = 0.0, 0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        loss_sum += loss.item() * yb.size(0)
        n += yb.size(0)
    return loss_sum / n


def test(model, loader):
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for xb, yb in loader:
            hits += (model(xb).argmax(1) == yb).sum().item()
            total += yb.size(0)
    return hits / total


def main():
    data = make_imu_data()
    train_set, val_set = random_split(data, [3200, 800])
    train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=256)
    model = DeepNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(1, 13):
        loss = train_one_epoch(model, train_loader, criterion, optimizer)
        print(f"Epoch {epoch:02d} | loss {loss:.4f} | val acc {test(model, val_loader):.4f}")


if __name__ == "__main__":
    main()
