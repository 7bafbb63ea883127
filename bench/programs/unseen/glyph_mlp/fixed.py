"""Small MLP that recognises 12x12 handwritten-like glyphs (10 classes)."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 7
N_CLASSES = 10
SIDE = 12
EPOCHS = 12

np.random.seed(SEED)
torch.manual_seed(SEED)


def make_templates():
    """One smooth stroke pattern per class."""
    templates = []
    for _ in range(N_CLASSES):
        img = np.zeros((SIDE, SIDE), dtype=np.float32)
        points = np.random.randint(2, SIDE - 2, size=(4, 2))
        for a, b in zip(points[:-1], points[1:]):
            for t in np.linspace(0, 1, 20):
                r, c = np.round(a * (1 - t) + b * t).astype(int)
                img[r, c] = 1.0
        templates.append(img)
    return np.stack(templates)


def make_glyphs(n, templates):
    labels = np.random.randint(0, N_CLASSES, size=n)
    images = np.empty((n, SIDE, SIDE), dtype=np.float32)
    for i, k in enumerate(labels):
        shift = np.random.randint(-1, 2, size=2)
        images[i] = np.roll(templates[k], shift, axis=(0, 1))
    images += 0.25 * np.random.randn(*images.shape).astype(np.float32)
    images = (images - images.mean()) / images.std()
    return torch.tensor(images), torch.tensor(labels, dtype=torch.long)


class GlyphNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Flatten(),
            nn.Linear(SIDE * SIDE, 128),
            nn.ReLU(),
            nn.Linear(128, 64),
            nn.ReLU(),
            nn.Linear(64, N_CLASSES),
        )

    def forward(self, x):
        return self.net(x)


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(dim=1) == y).float().mean().item()


def main():
    templates = make_templates()
    x_train, y_train = make_glyphs(3000, templates)
    x_test, y_test = make_glyphs(800, templates)
    loader = DataLoader(TensorDataset(x_train, y_train), batch_size=64, shuffle=True)

    model = GlyphNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.5)

    for epoch in range(1, EPOCHS + 1):
        model.train()
        total = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(xb)
        print(f"epoch {epoch:2d}  loss {total / len(x_train):.4f}  "
              f"test acc {accuracy(model, x_test, y_test):.3f}")


if __name__ == "__main__":
    main()
