"""Customer churn with a hand-written cross-entropy."""
import numpy as np
import torch
import torch.nn as nn

np.random.seed(42)
torch.manual_seed(42)


def make_customers(n):
    months = np.random.exponential(24, n)
    calls = np.random.poisson(2, n)
    usage = np.random.lognormal(0.0, 1.2, n)
    discount = np.random.binomial(1, 0.3, n)
    risk = -0.12 * (months - 18) + 0.9 * (calls - 2) - 1.5 * (usage - 1.5) - 1.0 * discount
    churn = (risk + np.random.logistic(0, 0.3, n) > 0).astype(np.float32)
    x = np.stack([months, calls, usage, discount], axis=1)
    return x.astype(np.float32), churn


def standardise(train, *others):
    mean, std = train.mean(axis=0), train.std(axis=0)
    return [torch.from_numpy((a - mean) / std) for a in (train, *others)]


class ChurnModel(nn.Module):
    def __init__(self, n_features=4):
        super().__init__()
        self.hidden = nn.Linear(n_features, 32)
        self.hidden2 = nn.Linear(32, 32)
        self.output = nn.Linear(32, 1)

    def forward(self, x):
        x = torch.relu(self.hidden(x))
        x = torch.relu(self.hidden2(x))
        return torch.sigmoid(self.output(x)).squeeze(1)


def cross_entropy(p, y):
    return -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()


def main():
    x_train, y_train = make_customers(4000)
    x_val, y_val = make_customers(1000)
    x_train, x_val = standardise(x_train, x_val)
    y_train, y_val = torch.from_numpy(y_train), torch.from_numpy(y_val)

    model = ChurnModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    batch = 64
    for epoch in range(15):
        model.train()
        perm = torch.randperm(len(x_train))
        epoch_loss = 0.0
        for i in range(0, len(perm), batch):
            idx = perm[i:i + batch]
            p = model(x_train[idx])
            loss = cross_entropy(p, y_train[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            acc = ((model(x_val) > 0.5).float() == y_val).float().mean().item()
        print(f"epoch {epoch + 1:2d}  loss {epoch_loss / len(perm):.4f}  val acc {acc:.3f}")


if __name__ == "__main__":
    main()
