"""Predict delivery times (minutes) of a courier service from order features."""
import numpy as np
import torch
from torch import nn

torch.manual_seed(42)
rng = np.random.default_rng(42)

# ---- orders -------------------------------------------------------------
N = 6000
distance = rng.gamma(2.0, 2.0, N)                  # km
hour = rng.uniform(8, 22, N)
items = rng.poisson(3, N) + 1
rain = (rng.random(N) < 0.25).astype(float)
rush = np.exp(-0.5 * ((hour - 18) / 1.5) ** 2)
minutes = 8 + 3.2 * distance * (1 + 0.5 * rush + 0.3 * rain) + 1.1 * items + rng.normal(0, 2.0, N)

features = np.stack([distance, np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi), items, rain], axis=1)
order = rng.permutation(N)
train_idx, val_idx, test_idx = order[:4200], order[4200:5100], order[5100:]

x_mean, x_std = features[train_idx].mean(0), features[train_idx].std(0)
y_mean, y_std = minutes[train_idx].mean(), minutes[train_idx].std()


def tensors(idx):
    x = torch.tensor((features[idx] - x_mean) / x_std, dtype=torch.float32)
    y = torch.tensor((minutes[idx] - y_mean) / y_std, dtype=torch.float32)
    return x, y


x_train, y_train = tensors(train_idx)
x_val, y_val = tensors(val_idx)
x_test, y_test = tensors(test_idx)


# ---- model --------------------------------------------------------------
class EtaNet(nn.Module):
    def __init__(self, n_in, hidden=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(self.body(x))


def log_cosh(pred, target):
    diff = pred - target
    return (diff + nn.functional.softplus(-2 * diff) - np.log(2.0)).mean()


@torch.no_grad()
def mae_minutes(model, x, y):
    model.eval()
    return (model(x).flatten() - y).abs().mean().item() * y_std


model = EtaNet(x_train.shape[1])
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
batch = 64

for epoch in range(20):
    model.train()
    perm = torch.randperm(len(x_train))
    total = 0.0
    for start in range(0, len(perm), batch):
        idx = perm[start:start + batch]
        loss = log_cosh(model(x_train[idx]), y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1}: loss {total / len(perm):.4f}  val MAE {mae_minutes(model, x_val, y_val):.2f} min")

baseline = np.abs(minutes[test_idx] - np.median(minutes[train_idx])).mean()
print(f"test MAE {mae_minutes(model, x_test, y_test):.2f} min (median baseline {baseline:.2f})")
