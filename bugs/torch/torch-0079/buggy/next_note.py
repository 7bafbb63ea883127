"""A causal transformer that continues melodies."""

import torch
import torch.nn.functional as F
from torch import nn

NOTES, LENGTH = 12, 10


def compose(count, generator):
    """Melodies that go up by a step on even places and down by another on odd ones."""
    start = torch.randint(NOTES, (count, 1), generator=generator)
    steps = torch.tensor([5 if place % 2 == 0 else -3 for place in range(LENGTH)])
    return (start + torch.cat([torch.zeros(1, dtype=torch.long), steps[:-1].cumsum(0)])) % NOTES


class MelodyModel(nn.Module):
    def __init__(self, dim=24, heads=2, longest=64):
        super().__init__()
        self.note = nn.Embedding(NOTES, dim)
        self.place = nn.Embedding(longest, dim)
        self.block = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=64, dropout=0.0, batch_first=True)
        self.out = nn.Linear(dim, NOTES)

    def forward(self, x):
        pos = torch.arange(x.size(0), device=x.device).unsqueeze(1)
        h = self.note(x) + self.place(pos)
        mask = nn.Transformer.generate_square_subsequent_mask(x.size(1))
        return self.out(self.block(h, src_mask=mask, is_causal=True))


def train(model, melodies, epochs=15, batch_size=32):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        for rows in torch.randperm(len(melodies)).split(batch_size):
            scores = model(melodies[rows, :-1])
            loss = F.cross_entropy(scores.flatten(0, 1), melodies[rows, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: loss {loss.item():.3f}")


def main():
    torch.manual_seed(0)
    model = MelodyModel()
    train(model, compose(256, torch.Generator().manual_seed(0)))
    melody = compose(1, torch.Generator().manual_seed(9))
    with torch.no_grad():
        for copies in (1, 3):
            last = model.eval()(melody.expand(copies, -1))[:, -1].softmax(dim=-1).max(dim=-1).values
            print(f"{copies} equal melodies, probability of the next note:", [round(p, 4) for p in last.tolist()])


if __name__ == "__main__":
    main()
