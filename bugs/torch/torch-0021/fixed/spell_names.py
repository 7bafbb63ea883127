"""Learns how made-up place names are spelled: predicts a letter from the three before it."""

import torch
import torch.nn.functional as F
from torch import nn

LETTERS = ".abdeiklmnorstu"
CONTEXT = 3
SYLLABLES = ("ba", "ka", "lo", "mi", "ne", "ru", "sta", "tor", "din", "mel")


def invent(count, generator):
    """``count`` names of two or three syllables, each ended by a dot."""
    names = []
    for _ in range(count):
        length = 2 + torch.randint(2, (1,), generator=generator).item()
        chosen = torch.randint(len(SYLLABLES), (length,), generator=generator).tolist()
        names.append("".join(SYLLABLES[number] for number in chosen) + ".")
    return names


def windows(names):
    """Every letter of the names as a target, with the CONTEXT letters before it."""
    contexts, targets = [], []
    for name in names:
        numbers = [0] * CONTEXT + [LETTERS.index(letter) for letter in name]
        for end in range(CONTEXT, len(numbers)):
            contexts.append(numbers[end - CONTEXT : end])
            targets.append(numbers[end])
    return torch.tensor(contexts), torch.tensor(targets)


class Speller(nn.Module):
    def __init__(self, embedding=16, hidden=64, depth=4, init_std=0.15):
        super().__init__()
        self.embedding = nn.Embedding(len(LETTERS), embedding)
        sizes = [CONTEXT * embedding] + [hidden] * depth
        self.layers = nn.ModuleList(nn.Linear(*pair) for pair in zip(sizes, sizes[1:]))
        self.output = nn.Linear(hidden, len(LETTERS))
        for linear in (*self.layers, self.output):
            nn.init.normal_(linear.weight, std=init_std)
            nn.init.zeros_(linear.bias)

    def forward(self, contexts):
        state = self.embedding(contexts).flatten(1)
        for linear in self.layers:
            state = F.relu(linear(state))
        return self.output(state)


def train(model, contexts, targets, epochs, batch_size=64):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    history = []
    for epoch in range(epochs):
        total = 0.0
        for batch in torch.randperm(len(targets)).split(batch_size):
            loss = F.cross_entropy(model(contexts[batch]), targets[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        history.append(total / len(targets))
        print(f"epoch {epoch + 1:2d}  loss {history[-1]:.3f}")
    return history


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    names = invent(240, generator)
    return train(Speller(), *windows(names), epochs=10)


if __name__ == "__main__":
    main()
