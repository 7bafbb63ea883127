"""Classifies sports clips from 40 pooled features per clip, with labels collected from a crowd."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SPORTS = ("rowing", "fencing", "skating")
FEATURES = 40


def collect(count, generator, mislabelled=0.15):
    """Scaled features of ``count`` clips and what the crowd says they show."""
    typical = torch.randn(len(SPORTS), FEATURES, generator=torch.Generator().manual_seed(3))
    sports = torch.arange(count) % len(SPORTS)
    features = typical[sports] + 1.6 * torch.randn(count, FEATURES, generator=generator)
    other = (sports + torch.randint(1, len(SPORTS), (count,), generator=generator)) % len(SPORTS)
    wrong = torch.rand(count, generator=generator) < mislabelled
    return TensorDataset(features / features.std(), torch.where(wrong, other, sports))


class ClipClassifier(nn.Module):
    def __init__(self, hidden=96, dropout_p=0.05):
        super().__init__()
        self.fc1 = nn.Linear(FEATURES, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.fc3 = nn.Linear(hidden, len(SPORTS))
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, features):
        x = F.relu(self.fc1(self.dropout(features)))
        x = F.relu(self.fc2(self.dropout(x)))
        return self.fc3(self.dropout(x))


def train(model, loader, optimizer):
    model.train()
    total = 0.0
    for features, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(features), labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(labels)
    return total / len(loader.dataset)


def validation(model, loader):
    model.eval()
    total, correct = 0.0, 0
    with torch.no_grad():
        for features, labels in loader:
            output = model(features)
            total += F.cross_entropy(output, labels, reduction="sum").item()
            correct += (output.argmax(dim=1) == labels).sum().item()
    return total / len(loader.dataset), correct / len(loader.dataset)


def main(seed=0, epochs=26):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    train_loader = DataLoader(collect(300, generator), batch_size=20, shuffle=True)
    valid_loader = DataLoader(collect(240, generator), batch_size=240)
    model = ClipClassifier()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.008)
    history = []
    for epoch in range(epochs):
        train_loss = train(model, train_loader, optimizer)
        valid_loss, accuracy = validation(model, valid_loader)
        history.append(valid_loss)
        print(
            f"Epoch {epoch + 1}: train loss {train_loss:.4f}, test loss {valid_loss:.4f},"
            f" test accuracy {accuracy:.2%}"
        )
    return history


if __name__ == "__main__":
    main()
