"""Flag suspicious card payments (about 2 % of the transactions)."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
rng = np.random.default_rng(0)


def load_transactions(n):
    suspicious = rng.random(n) < 0.02
    x = rng.standard_normal((n, 10))
    x[suspicious, 0] += 1.1      # amount compared with the customer's mean
    x[suspicious, 1] += 0.9      # distance from home
    x[suspicious, 2] -= 0.9      # time since the previous payment
    x[suspicious, 5] += 0.7      # merchant risk score
    return x.astype(np.float32), suspicious.astype(np.float32)


class AlertNet(nn.Module):
    def __init__(self, n_in=10):
        super().__init__()
        self.fc1 = nn.Linear(n_in, 32)
        self.fc2 = nn.Linear(32, 16)
        self.fc3 = nn.Linear(16, 1)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        x = torch.relu(self.fc2(x))
        return self.fc3(x).squeeze(-1)


def report(model, x, y):
    model.eval()
    with torch.no_grad():
        flagged = model(torch.from_numpy(x)).numpy() > 0
    actual = y > 0.5
    recall = (flagged & actual).sum() / actual.sum()
    specificity = (~flagged & ~actual).sum() / (~actual).sum()
    return (flagged == actual).mean(), recall, (recall + specificity) / 2


def main():
    x_train, y_train = load_transactions(12000)
    x_test, y_test = load_transactions(6000)
    loader = DataLoader(
        TensorDataset(torch.from_numpy(x_train), torch.from_numpy(y_train)),
        batch_size=128, shuffle=True)
    model = AlertNet()
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    for epoch in range(8):
        model.train()
        total = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
            total += loss.item()
        acc, recall, balanced = report(model, x_test, y_test)
        print(f"epoch {epoch + 1}: loss {total / len(loader):.4f} acc {acc:.3f} "
              f"recall {recall:.3f} balanced acc {balanced:.3f}")


if __name__ == "__main__":
    main()
