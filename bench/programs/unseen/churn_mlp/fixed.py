"""Predict customer churn from a table of account features."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
torch.set_num_threads(1)
rng = np.random.default_rng(3)


def load_customers(n=4000):
    tenure = rng.gamma(2.0, 14.0, n)
    monthly = rng.normal(65, 20, n)
    calls = rng.poisson(2.0, n)
    contract = rng.integers(0, 3, n)
    autopay = rng.integers(0, 2, n)
    age = rng.normal(45, 14, n)
    noise = rng.normal(0, 0.5, n)
    score = (-0.06 * (tenure - 28) + 0.05 * (monthly - 65) + 0.9 * (calls - 2)
             - 1.2 * (contract - 1) - 0.8 * autopay
             + 0.04 * np.abs(age - 45) + noise)
    label = (score > np.median(score)).astype(np.int64)
    onehot = np.eye(3)[contract]
    table = np.column_stack([tenure, monthly, calls, autopay, age, onehot])
    return table.astype(np.float32), label


def standardise(train, test):
    mean, std = train.mean(0), train.std(0)
    return (train - mean) / std, (test - mean) / std


class ChurnNet(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(n_in, 64),
            nn.ReLU(),
            nn.Linear(64, 32),
            nn.ReLU(),
            nn.Linear(32, 2),
        )

    def forward(self, x):
        return self.layers(x)


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def train_model(epochs=20):
    x, y = load_customers()
    x_train, x_test = standardise(x[:3200], x[3200:])
    x_train, x_test = torch.tensor(x_train), torch.tensor(x_test)
    y_train, y_test = torch.tensor(y[:3200]), torch.tensor(y[3200:])
    loader = DataLoader(TensorDataset(x_train, y_train), batch_size=64, shuffle=True)

    model = ChurnNet(x.shape[1])
    loss_fn = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(
        model.parameters(),
        lr=1e-3,
        weight_decay=1e-5,
    )
    for epoch in range(1, epochs + 1):
        model.train()
        total = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"[{epoch:2d}] loss={total / len(loader):.4f} "
              f"train={accuracy(model, x_train, y_train):.3f} "
              f"test={accuracy(model, x_test, y_test):.3f}")


if __name__ == "__main__":
    train_model()
