"""Reads the letters of number plates, photographed as 11 x 9 pixels, from few labelled examples."""

import random

import torch
import torch.nn.functional as F
from torch import nn

FONT = {
    "H": "#.##.#####.##.#",
    "L": "#..#..#..#..###",
    "O": "####.##.##.####",
    "T": "###.#..#..#..#.",
    "X": "#.##.#.#.#.##.#",
    "Z": "###..#.#.#..###",
}


def photograph(count, reach, generator):
    """``count`` letters, up to ``reach`` pixels off the centre, with noise; and which they are."""
    labels = torch.arange(count) % len(FONT)
    glyphs = torch.tensor([[float(dot == "#") for dot in letter] for letter in FONT.values()]).view(-1, 5, 3)
    photos = torch.zeros(count, 11, 9)
    offsets = torch.randint(-reach, reach + 1, (count, 2), generator=generator).tolist()
    for photo, label, (down, right) in zip(photos, labels, offsets):
        photo[3 + down : 8 + down, 3 + right : 6 + right] = glyphs[label]
    photos = photos + 0.12 * torch.randn(count, 11, 9, generator=generator)
    return (photos - 0.1) / 0.33, labels


class PlateGenerator:
    """Serves shuffled batches of photos, together with shifted copies if there are any."""

    def __init__(self, photos, labels, batch_size=15):
        self.photos, self.labels = list(photos), labels.tolist()
        self.batch_size = batch_size
        self.indexes = list(range(len(self.photos)))

    def augment(self, copies, reach=2):
        """Adds ``copies`` copies of every photo, each shifted by up to ``reach`` pixels."""
        for photo, label in list(zip(self.photos, self.labels)):
            for _ in range(copies):
                shift = (random.randint(-reach, reach), random.randint(-reach, reach))
                self.photos.append(photo.roll(shift, dims=(0, 1)))
                self.labels.append(label)
        self.indexes = list(range(len(self.photos)))

    def batches(self):
        random.shuffle(self.indexes)
        for start in range(0, len(self.indexes), self.batch_size):
            chosen = self.indexes[start : start + self.batch_size]
            photos = torch.stack([self.photos[index] for index in chosen])
            yield photos.unsqueeze(1), torch.tensor([self.labels[index] for index in chosen])


def build_network():
    return nn.Sequential(
        nn.Conv2d(1, 12, 3),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(12 * 4 * 3, 48),
        nn.ReLU(),
        nn.Linear(48, len(FONT)),
    )


def evaluate(network, photos, labels):
    network.eval()
    with torch.no_grad():
        scores = network(photos.unsqueeze(1))
        accuracy = (scores.argmax(dim=1) == labels).float().mean().item()
        return F.cross_entropy(scores, labels).item(), accuracy


def main(seed=0, epochs=12):
    random.seed(seed)
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    train_data = PlateGenerator(*photograph(60, 0, generator))
    train_data.augment(copies=9)
    validation = photograph(300, 2, generator)
    network = build_network()
    optimizer = torch.optim.Adam(network.parameters(), lr=0.005)
    for epoch in range(1, epochs + 1):
        network.train()
        losses = []
        for photos, labels in train_data.batches():
            optimizer.zero_grad()
            loss = F.cross_entropy(network(photos), labels)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        val_loss, val_accuracy = evaluate(network, *validation)
        print(
            f"Epoch {epoch:2d} - loss: {sum(losses) / len(losses):.4f}"
            f" - val_loss: {val_loss:.4f} - val_acc: {val_accuracy:.4f}"
        )
    return val_accuracy


if __name__ == "__main__":
    main()
