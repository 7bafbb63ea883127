"""Spoken keyword spotting on raw one-second snippets (synthetic formants)."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset, random_split

RATE = 2000
WORDS = ["yes", "no", "stop", "go", "left", "right"]
# three formant frequencies (Hz) per word for its two syllables
FORMANTS = np.random.default_rng(42).uniform(80, 800, size=(len(WORDS), 2, 3))


class Snippets(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.y = rng.integers(0, len(WORDS), size=n)
        t = np.arange(RATE // 2) / RATE
        waves = np.zeros((n, RATE), dtype=np.float32)
        for i, word in enumerate(self.y):
            pitch = rng.uniform(0.93, 1.07)
            parts = []
            for syllable in range(2):
                phase = rng.uniform(0, 2 * np.pi, size=3)
                f = FORMANTS[word, syllable] * pitch
                parts.append(np.sin(2 * np.pi * f[:, None] * t + phase[:, None]).sum(0))
            wave = np.concatenate(parts)
            waves[i] = np.roll(wave, rng.integers(-100, 100)) + 2.0 * rng.standard_normal(RATE)
        self.x = torch.from_numpy(waves / 2.5).unsqueeze(1)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], int(self.y[i])


class WaveNetlet(nn.Module):
    def __init__(self, n_out):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 24, 64, stride=8), nn.BatchNorm1d(24), nn.ReLU(),
            nn.Conv1d(24, 32, 8, stride=2), nn.BatchNorm1d(32), nn.ReLU(),
            nn.Conv1d(32, 48, 8, stride=2), nn.BatchNorm1d(48), nn.ReLU(),
            nn.AdaptiveMaxPool1d(4), nn.Flatten(),
        )
        self.head = nn.Linear(48 * 4, n_out)

    def forward(self, x):
        return self.head(self.features(x))


class Trainer:
    def __init__(self, model, train_loader, val_loader, epochs=12):
        self.model, self.epochs = model, epochs
        self.train_loader, self.val_loader = train_loader, val_loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
        # divide the rate by ten for the last third of the training
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=8, gamma=0.1)

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            total += loss.item() * len(y)
        return total / len(self.train_loader.dataset)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        hits = sum((self.model(x).argmax(1) == y).sum().item() for x, y in self.val_loader)
        return hits / len(self.val_loader.dataset)

    def fit(self):
        for epoch in range(1, self.epochs + 1):
            loss = self.train_epoch()
            print(f"[{epoch:02d}] loss {loss:.4f}  val acc {self.validate():.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    data = Snippets(1800, seed=0)
    train_set, val_set = random_split(data, [1500, 300])
    Trainer(WaveNetlet(len(WORDS)),
            DataLoader(train_set, batch_size=50, shuffle=True),
            DataLoader(val_set, batch_size=100)).fit()
