import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

CLASSES = ("clean", "crack", "pore")


def render(n, seed):
    """8-bit grey images of a weld seam with an optional defect."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(CLASSES), size=n)
    images = rng.normal(150, 12, size=(n, 28, 28))
    yy, xx = np.mgrid[0:28, 0:28]
    for img, label in zip(images, labels):
        img += 25 * np.exp(-((xx - 14) / 6.0) ** 2)
        cy, cx = rng.uniform(8, 20, size=2)
        if label == 1:
            angle = rng.uniform(0, np.pi)
            dist = np.abs((xx - cx) * np.sin(angle) - (yy - cy) * np.cos(angle))
            along = np.abs((xx - cx) * np.cos(angle) + (yy - cy) * np.sin(angle))
            img[(dist < 1.0) & (along < 7)] -= 45
        elif label == 2:
            img[(yy - cy) ** 2 + (xx - cx) ** 2 < 9] -= 45
    return np.clip(images, 0, 255).astype(np.uint8), labels


class WeldDataset(Dataset):
    def __init__(self, images, labels, transform):
        self.images, self.labels, self.transform = images, labels, transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.transform(self.images[i]), int(self.labels[i])


class ToTensor:
    def __call__(self, img):
        return torch.from_numpy(img).float().unsqueeze(0) / 255.0


class Normalize:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, t):
        return (t - self.mean) / self.std


class RandomFlip:
    def __call__(self, t):
        return t.flip(-1) if torch.rand(1).item() < 0.5 else t


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, x):
        for step in self.steps:
            x = step(x)
        return x


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveMaxPool2d(1),
        nn.Flatten(), nn.Linear(32, len(CLASSES)))


def main():
    torch.manual_seed(17)
    train_images, train_labels = render(2000, seed=1)
    val_images, val_labels = render(400, seed=2)
    mean, std = float(train_images.mean() / 255), float(train_images.std() / 255)
    train_tf = Compose(ToTensor(), RandomFlip(), Normalize(mean, std))
    val_tf = Compose(ToTensor())
    train_loader = DataLoader(WeldDataset(train_images, train_labels, train_tf), 50, shuffle=True)
    val_loader = DataLoader(WeldDataset(val_images, val_labels, val_tf), 100)

    model = build_model()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(7):
        model.train()
        losses, hits = [], 0
        for x, y in train_loader:
            logits = model(x)
            loss = criterion(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            hits += (logits.argmax(1) == y).sum().item()
        model.eval()
        right = 0
        with torch.no_grad():
            for x, y in val_loader:
                right += (model(x).argmax(1) == y).sum().item()
        print(f"epoch {epoch + 1} loss {np.mean(losses):.4f} "
              f"train acc {hits / len(train_labels):.3f} val acc {right / len(val_labels):.3f}")


if __name__ == "__main__":
    main()
