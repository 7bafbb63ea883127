"""Multi-label music tagging from log-mel summaries."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

TAGS = ["guitar", "piano", "vocals", "drums", "strings", "electronic", "ambient", "choir"]
N_MELS, FRAMES = 32, 20


def make_clips(n, seed):
    rng = np.random.default_rng(seed)
    patterns = np.random.default_rng(500).normal(size=(len(TAGS), N_MELS))
    freq = np.array([0.3, 0.25, 0.35, 0.3, 0.15, 0.15, 0.1, 0.08])
    tags = (rng.random((n, len(TAGS))) < freq).astype(np.float32)
    gain = rng.uniform(0.25, 0.7, size=(n, len(TAGS)))
    mels = (tags * gain) @ patterns
    envelope = 1 + 0.5 * np.sin(np.linspace(0, 6, FRAMES))[None, None, :]
    clips = mels[:, :, None] * envelope + 3.0 * rng.normal(size=(n, N_MELS, FRAMES))
    return torch.tensor(clips, dtype=torch.float32), torch.from_numpy(tags)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(N_MELS, 48, 3, padding=1), nn.BatchNorm1d(48), nn.ReLU(),
            nn.Conv1d(48, 48, 3, padding=1), nn.BatchNorm1d(48), nn.ReLU(),
        )
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(48, len(TAGS))

    def forward(self, x):
        return self.fc(self.drop(self.conv(x).mean(dim=2)))


def predict_tags(model, x):
    """0/1 matrix of tags for a batch of clips."""
    model.eval()
    with torch.no_grad():
        scores = model(x)
    return (scores > 0.5).float()


def f1_per_tag(pred, target):
    tp = (pred * target).sum(0)
    fp = (pred * (1 - target)).sum(0)
    fn = ((1 - pred) * target).sum(0)
    return 2 * tp / (2 * tp + fp + fn).clamp(min=1)


torch.manual_seed(1)
x_train, y_train = make_clips(3000, seed=1)
x_val, y_val = make_clips(800, seed=2)
loader = DataLoader(TensorDataset(x_train, y_train), batch_size=64, shuffle=True)

model = Tagger()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)

for epoch in range(8):
    model.train()
    total = 0.0
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    pred = predict_tags(model, x_val)
    exact = (pred == y_val).all(dim=1).float().mean()
    print(f"epoch {epoch + 1}: loss {total / len(x_train):.4f}  "
          f"val macro F1 {f1_per_tag(pred, y_val).mean():.3f}  exact match {exact:.3f}")

for tag, f1 in zip(TAGS, f1_per_tag(predict_tags(model, x_val), y_val)):
    print(f"  {tag:<11s} F1 {f1:.3f}")
