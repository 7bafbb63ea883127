import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

CLASSES = ["disk", "square", "cross", "ring", "stripes"]
SIZE = 24


def draw(kind, rng):
    yy, xx = np.mgrid[:SIZE, :SIZE].astype("float32")
    cy, cx = rng.uniform(9, 15, 2)
    r = rng.uniform(5, 8)
    dy, dx = yy - cy, xx - cx
    if kind == 0:
        shape = dy ** 2 + dx ** 2 < r ** 2
    elif kind == 1:
        shape = (abs(dy) < r * 0.85) & (abs(dx) < r * 0.85)
    elif kind == 2:
        shape = ((abs(dy) < 2) & (abs(dx) < r)) | ((abs(dx) < 2) & (abs(dy) < r))
    elif kind == 3:
        shape = abs(np.hypot(dy, dx) - r) < 1.5
    else:
        shape = (abs(dy) < r) & (abs(dx) < r) & ((yy.astype(int) // 2) % 2 == 0)
    return shape * rng.uniform(0.6, 1.0) + rng.normal(0, 0.25, (SIZE, SIZE))


def build(per_class, seed):
    rng = np.random.default_rng(seed)
    images, labels = [], []
    for kind in range(len(CLASSES)):
        for _ in range(per_class):
            images.append(draw(kind, rng))
            labels.append(kind)
    images = torch.tensor(np.stack(images), dtype=torch.float32).unsqueeze(1)
    return TensorDataset(images, torch.tensor(labels))


class SmallCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(
            nn.Flatten(), nn.Linear(32 * 6 * 6, 64), nn.BatchNorm1d(64), nn.ReLU(),
            nn.Dropout(0.4), nn.Linear(64, len(CLASSES)),
        )

    def forward(self, x):
        return self.classifier(self.features(x))


def validate(model, loader, criterion):
    model.eval()
    loss_sum, correct, count = 0.0, 0, 0
    with torch.no_grad():
        for images, labels in loader:
            logits = model(images)
            loss_sum += criterion(logits, labels).item() * len(labels)
            correct += (logits.argmax(1) == labels).sum().item()
            count += len(labels)
    return loss_sum / count, correct / count


def main():
    torch.manual_seed(7)
    train_loader = DataLoader(build(200, seed=7), batch_size=50, shuffle=True)
    val_loader = DataLoader(build(50, seed=8), batch_size=50)
    model = SmallCNN()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(6):
        model.train()
        running = 0.0
        for images, labels in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(labels)
        val_loss, val_acc = validate(model, val_loader, criterion)
        print(f"epoch {epoch}: train loss {running / len(train_loader.dataset):.4f}, "
              f"val loss {val_loss:.4f}, val acc {val_acc:.3f}")


if __name__ == "__main__":
    main()
