"""Recognises which way a hand is swiped from short clips of 5 frames, 6 x 6 pixels each."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SWIPES = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
FRAMES, SIZE = 5, 6


def film(count, generator):
    """``count`` clips (1 x FRAMES x SIZE x SIZE) of a bright hand on a noisy ground, and the swipes."""
    labels = torch.arange(count) % len(SWIPES)
    steps = torch.tensor(list(SWIPES.values()))[labels]
    starts = torch.randint(SIZE, (count, 2), generator=generator)
    clips = 0.5 * torch.randn(count, 1, FRAMES, SIZE, SIZE, generator=generator)
    which = torch.arange(count)
    for frame in range(FRAMES):
        rows, columns = ((starts + frame * steps) % SIZE).unbind(dim=1)
        clips[which, 0, frame, rows, columns] += 2.0
    return TensorDataset((clips - clips.mean()) / clips.std(), labels)


class GestureNet(nn.Module):
    def __init__(self, dropout_keep_prob=1.0):
        super().__init__()
        self.conv1 = nn.Conv3d(1, 8, kernel_size=(2, 3, 3), padding=(0, 1, 1))
        self.conv2 = nn.Conv3d(8, 12, kernel_size=(2, 3, 3), padding=(0, 1, 1))
        self.pool = nn.AdaptiveMaxPool3d(1)
        self.dropout = nn.Dropout(1 - dropout_keep_prob)
        self.logits = nn.Linear(12, len(SWIPES))

    def forward(self, clips):
        features = F.relu(self.conv1(clips))
        features = F.relu(self.conv2(features))
        features = self.pool(features).flatten(1)
        return self.logits(self.dropout(features))


@torch.no_grad()
def validate(model, loader):
    model.eval()
    loss, correct = 0.0, 0
    for clips, labels in loader:
        scores = model(clips)
        loss += F.cross_entropy(scores, labels, reduction="sum").item()
        correct += (scores.argmax(dim=1) == labels).sum().item()
    return loss / len(loader.dataset), correct / len(loader.dataset)


def train(model, loader, validation, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.006)
    history = []
    for epoch in range(epochs):
        model.train()
        running = 0.0
        for clips, labels in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(clips), labels)
            loss.backward()
            optimizer.step()
            running += loss.item()
        validation_loss, accuracy = validate(model, validation)
        history.append(validation_loss)
        print(
            f"epoch {epoch:2d}: loss {running / len(loader):.4f},"
            f" validation loss {validation_loss:.4f}, validation accuracy {accuracy:.3f}"
        )
    return history


def main(seed=0, epochs=10):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    loader = DataLoader(film(240, generator), batch_size=24, shuffle=True)
    validation = DataLoader(film(120, generator), batch_size=60)
    return train(GestureNet(), loader, validation, epochs)


if __name__ == "__main__":
    main()
