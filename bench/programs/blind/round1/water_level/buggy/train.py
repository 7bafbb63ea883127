# Forecast the water level of a reservoir one day ahead with a small gated cell.
import numpy as np
import torch
from torch import nn

torch.manual_seed(3)
rng = np.random.default_rng(3)

DAYS, WINDOW = 1500, 24

rain = rng.gamma(0.6, 1.5, DAYS) * (1 + 0.6 * np.sin(np.arange(DAYS) * 2 * np.pi / 180))
level = np.zeros(DAYS)
for day in range(1, DAYS):
    level[day] = 0.93 * level[day - 1] + 0.25 * rain[day - 1] + rng.normal(0, 0.05)

series = np.stack([level, rain], axis=1)
split = 1100
mean, std = series[:split].mean(0), series[:split].std(0)
series = ((series - mean) / std).astype("float32")


def windows(start, stop):
    xs = np.stack([series[i - WINDOW:i] for i in range(start, stop)])
    ys = series[start:stop, :1]
    return torch.from_numpy(xs), torch.from_numpy(ys)


x_train, y_train = windows(WINDOW, split)
x_test, y_test = windows(split, DAYS)


class GatedCell(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.hidden = hidden
        self.in_gate = nn.Linear(inputs, hidden)
        self.in_cand = nn.Linear(inputs, hidden)
        self.h_gate = nn.Linear(hidden, hidden, bias=False)
        self.h_cand = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x):
        h = x.new_zeros(x.shape[0], self.hidden)
        for t in range(x.shape[1]):
            step = x[:, t]
            z = torch.sigmoid(self.in_gate(step) + self.h_gate(h))
            cand = torch.tanh(self.in_cand(step) + self.h_cand(h))
            h += z * (cand - h)
        return h


model = nn.Sequential(GatedCell(2, 24), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
loss_fn = nn.MSELoss()
naive = loss_fn(x_test[:, -1, :1], y_test).item()

for epoch in range(15):
    order = torch.randperm(len(x_train))
    total = 0.0
    for ids in order.split(64):
        optimizer.zero_grad()
        loss = loss_fn(model(x_train[ids]), y_train[ids])
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * len(ids)
    with torch.no_grad():
        test = loss_fn(model(x_test), y_test).item()
    print(f"epoch {epoch + 1:2d}  train mse {total / len(x_train):.4f}  test mse {test:.4f}  (naive {naive:.4f})")
