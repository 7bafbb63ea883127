import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

RATE = 800
BASE_WORDS = ["go", "stop", "left", "right", "up", "down"]
NEW_WORDS = ["kitchen", "garage", "garden", "cellar"]


def utter(profile, rng):
    """A 'word' is a fixed series of tones, spoken with its own speed and pitch."""
    pitch = rng.uniform(0.93, 1.07)
    parts = []
    for freq in profile:
        n = int(RATE * 0.2 * rng.uniform(0.8, 1.2))
        t = np.arange(n) / RATE
        parts.append(np.sin(2 * np.pi * freq * pitch * t + rng.uniform(0, 6.28)) * np.hanning(n))
    wave = np.concatenate(parts)
    out = np.zeros(RATE)
    start = rng.integers(0, max(1, RATE - len(wave)))
    wave = wave[:RATE - start]
    out[start:start + len(wave)] = wave
    return (out + 0.2 * rng.standard_normal(RATE)).astype(np.float32)


def make_words(n_words, n_each, profile_seed, seed):
    profiles = np.random.default_rng(profile_seed).uniform(40, 300, size=(n_words, 4))
    rng = np.random.default_rng(seed)
    x = np.stack([utter(profiles[k], rng) for k in range(n_words) for _ in range(n_each)])
    y = np.repeat(np.arange(n_words), n_each)
    return TensorDataset(torch.from_numpy(x).unsqueeze(1), torch.from_numpy(y))


class WordNet(nn.Module):
    def __init__(self, n_words):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, 32, 32, stride=4), nn.BatchNorm1d(32), nn.ReLU(),
            nn.Conv1d(32, 48, 9, stride=3), nn.BatchNorm1d(48), nn.ReLU(),
            nn.Conv1d(48, 64, 5, stride=2), nn.BatchNorm1d(64), nn.ReLU(),
            nn.AdaptiveAvgPool1d(4), nn.Flatten(),
        )
        self.head = nn.Linear(64 * 4, n_words)

    def forward(self, x):
        return self.head(self.body(x))


def train(model, optimizer, loader, epochs, tag):
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"[{tag}] epoch {epoch + 1} loss {total / len(loader):.4f}")


def accuracy(model, dataset):
    model.eval()
    x, y = dataset.tensors
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    base = make_words(len(BASE_WORDS), 150, profile_seed=1, seed=2)
    model = WordNet(len(BASE_WORDS))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    train(model, optimizer, DataLoader(base, batch_size=32, shuffle=True), 5, "base")
    print("base test accuracy", round(accuracy(model, make_words(len(BASE_WORDS), 40, 1, 3)), 3))

    # adapt to the words of this household with few recordings
    new = make_words(len(NEW_WORDS), 30, profile_seed=4, seed=5)
    for p in model.body.parameters():
        p.requires_grad = False
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    model.head = nn.Linear(model.head.in_features, len(NEW_WORDS))
    train(model, optimizer, DataLoader(new, batch_size=16, shuffle=True), 15, "new")
    print("new test accuracy", round(accuracy(model, make_words(len(NEW_WORDS), 40, 4, 6)), 3))


if __name__ == "__main__":
    main()
