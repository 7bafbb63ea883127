"""Small CNN that tells squares, crosses, discs and stripes apart (20x20 grey pictures)."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
torch.set_num_threads(1)
SIZE = 20


def draw(kind, rng):
    img = np.zeros((SIZE, SIZE), dtype=np.float32)
    cx, cy = rng.integers(6, SIZE - 6, size=2)
    r = rng.integers(3, 6)
    yy, xx = np.mgrid[:SIZE, :SIZE]
    if kind == 0:
        img[cy - r:cy + r, cx - r:cx + r] = 1.0
    elif kind == 1:
        img[cy - 1:cy + 1, cx - r:cx + r] = 1.0
        img[cy - r:cy + r, cx - 1:cx + 1] = 1.0
    elif kind == 2:
        img[(xx - cx) ** 2 + (yy - cy) ** 2 <= r * r] = 1.0
    else:
        img[cy - r:cy + r:2, cx - r:cx + r] = 1.0
    img += rng.normal(0, 0.15, img.shape)
    return img


def make_dataset(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, size=n)
    x = np.stack([draw(k, rng) for k in y]).astype(np.float32)
    return TensorDataset(torch.from_numpy(x[:, None]), torch.from_numpy(y))


class ShapeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc1 = nn.Linear(16 * 5 * 5, 32)
        self.fc2 = nn.Linear(32, 4)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(x.flatten(1)))
        return self.fc2(x)


def test(model, loader):
    model.eval()
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (model(x).argmax(1) == y).sum().item()
    return hits / len(loader.dataset)


def main():
    train_loader = DataLoader(make_dataset(2000, 1), batch_size=32, shuffle=True)
    test_loader = DataLoader(make_dataset(500, 2), batch_size=250)
    model = ShapeNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.5)
    for epoch in range(7):
        model.train()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        scheduler.step()
        acc = test(model, test_loader)
        print(f"Epoch {epoch + 1}: train loss {total / len(train_loader):.4f}, test acc {acc:.3f}")


if __name__ == "__main__":
    main()
