import numpy as np
import torch
from torch import nn

torch.manual_seed(42)
rng = np.random.RandomState(42)

# ---- made-up listings: area, rooms, age, distance to centre, floor, garden
n = 3000
area = rng.gamma(6.0, 18.0, n)
rooms = np.clip(np.round(area / 28 + rng.randn(n)), 1, 9)
age = rng.uniform(0, 90, n)
dist = rng.exponential(6.0, n)
floor = rng.randint(0, 8, n)
garden = (rng.rand(n) < 0.3).astype(float)
price = (2.4 * area + 9 * rooms - 0.8 * age + 0.006 * age ** 2 - 55 * np.log1p(dist)
         + 25 * garden * (floor == 0) + 1.5 * floor + 15 * rng.randn(n) + 220)

table = np.column_stack([area, rooms, age, dist, floor, garden, price]).astype(np.float32)
train_rows, val_rows = table[:2400], table[2400:]

mean, std = train_rows.mean(axis=0), train_rows.std(axis=0)
train_rows = (train_rows - mean) / std
val_rows = (val_rows - mean) / std

x_train, y_train = torch.from_numpy(train_rows[:, :-1]), torch.from_numpy(train_rows[:, -1])
x_val, y_val = torch.from_numpy(val_rows[:, :-1]), val_rows[:, -1]

model = nn.Sequential(
    nn.Linear(6, 64), nn.ReLU(),
    nn.Linear(64, 64), nn.ReLU(),
    nn.Linear(64, 1),
)
opt = torch.optim.Adam(model.parameters(), lr=2e-3)

for epoch in range(60):
    model.train()
    perm = torch.randperm(len(x_train))
    epoch_loss = 0.0
    for start in range(0, len(perm), 64):
        idx = perm[start:start + 64]
        pred = model(x_train[idx])
        loss = ((pred - y_train[idx]) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        epoch_loss += loss.item() * len(idx)

    if epoch % 5 == 4:
        model.eval()
        with torch.no_grad():
            guess = model(x_val).numpy().ravel()
        rmse = np.sqrt(np.mean((guess - y_val) ** 2)) * std[-1]
        r2 = 1 - np.sum((guess - y_val) ** 2) / np.sum((y_val - y_val.mean()) ** 2)
        print("epoch %2d  train mse %.4f  val rmse %.1f k  val R2 %.3f"
              % (epoch + 1, epoch_loss / len(perm), rmse, r2))
