"""Reads the 46 katakana of a dot-matrix printer, scanned as noisy 8 x 6 patterns."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KATAKANA = 46
DOTS = 8 * 6


def scan(count, generator):
    """``count`` scanned characters (dots of -1 and 1 plus noise) and their numbers."""
    typeface = torch.randint(2, (KATAKANA, DOTS), generator=torch.Generator().manual_seed(1978))
    labels = torch.arange(count) % KATAKANA
    dots = typeface[labels] * 2.0 - 1.0
    noise = 1.1 * torch.randn(count, DOTS, generator=generator)
    return dots + noise, labels


class KatakanaReader(nn.Module):
    """A small perceptron that gives the probability of every character."""

    def __init__(self, hidden=64):
        super().__init__()
        self.hidden = nn.Linear(DOTS, hidden)
        self.output = nn.Linear(hidden, KATAKANA)

    def forward(self, dots):
        features = F.relu(self.hidden(dots))
        return F.softmax(self.output(features), dim=1)


def train(model, loader, epochs=12):
    """Trains the model in place and returns the mean loss of every epoch."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    history = []
    for epoch in range(1, epochs + 1):
        total, correct = 0.0, 0
        for dots, labels in loader:
            probabilities = model(dots)
            loss = F.nll_loss(torch.log(probabilities), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(labels)
            correct += (probabilities.argmax(dim=1) == labels).sum().item()
        seen = len(loader.dataset)
        history.append(total / seen)
        print(f"epoch {epoch:2d}  loss {history[-1]:.4f}  accuracy {correct / seen:.3f}")
    return history


@torch.no_grad()
def accuracy(model, dots, labels):
    model.eval()
    return (model(dots).argmax(dim=1) == labels).float().mean().item()


def main(seed=0):
    """Trains on 1380 scans; returns the losses and the accuracy on 460 other scans."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    loader = DataLoader(TensorDataset(*scan(1380, generator)), batch_size=46, shuffle=True)
    model = KatakanaReader()
    history = train(model, loader)
    held_out = accuracy(model, *scan(460, generator))
    print(f"held-out accuracy {held_out:.3f}")
    return history, held_out


if __name__ == "__main__":
    main()
