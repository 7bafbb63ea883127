"""Sorts mail into folders: frozen word vectors, two blocks that are recomputed to save memory, a linear layer."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

WORDS, FOLDERS, LENGTH = 40, 4, 10


def receive(count, generator):
    """A mail goes to a folder by whether two key words occur together, alone or not at all."""
    mail = torch.randint(2, WORDS, (count, LENGTH), generator=generator)
    keys = torch.randint(2, (count, 2), generator=generator)
    places = torch.stack([torch.randperm(LENGTH, generator=generator)[:2] for _ in range(count)])
    for word in (0, 1):
        rows = keys[:, word].bool()
        mail[rows, places[rows, word]] = word
    return mail, keys[:, 0] + 2 * keys[:, 1]


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mix = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        return self.norm(x + self.mix(x))


class MailSorter(nn.Module):
    def __init__(self, width=16, blocks=2):
        super().__init__()
        self.words = nn.Embedding(WORDS, width)
        self.words.requires_grad_(False)  # vectors are taken over from a larger model
        self.blocks = nn.ModuleList(Block(width) for _ in range(blocks))
        self.out = nn.Linear(width, FOLDERS)

    def forward(self, mail):
        x = self.words(mail)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=True)
        return self.out(x.amax(dim=1))


def train(model, mail, folders, epochs=15, batch_size=50):
    optimizer = torch.optim.Adam((p for p in model.parameters() if p.requires_grad), lr=0.01)
    for epoch in range(epochs):
        for rows in torch.randperm(len(mail)).split(batch_size):
            loss = F.cross_entropy(model(mail[rows]), folders[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1}: {loss.item():.3f}")


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = MailSorter()
    train(model, *receive(600, generator))
    mail, folders = receive(300, generator)
    with torch.no_grad():
        accuracy = (model(mail).argmax(dim=1) == folders).float().mean().item()
    print(f"sorted correctly: {accuracy:.3f}")
    return accuracy


if __name__ == "__main__":
    main()
