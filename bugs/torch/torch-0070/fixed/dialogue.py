"""Predicts whether a caller is satisfied, from the turns of the dialogue so far."""

import torch
from torch import nn

MOST_TURNS, FEATURES = 6, 10


def call(count, seed):
    """Dialogues with up to six turns; a few callers hang up before the first."""
    generator = torch.Generator().manual_seed(seed)
    turns = torch.randn(count, MOST_TURNS, FEATURES, generator=generator)
    lengths = torch.randint(1, MOST_TURNS + 1, (count,), generator=generator)
    lengths[torch.rand(count, generator=generator) < 0.02] = 0
    there = torch.arange(MOST_TURNS)[None, :] < lengths[:, None]
    satisfied = ((turns[:, :, 0] * there).sum(dim=1) > 0).float()
    return turns * there.unsqueeze(-1), there, satisfied


class AttentionPool(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.score = nn.Linear(dim, 1)

    def forward(self, turns, there):
        scores = self.score(turns).squeeze(-1)
        scores = scores.masked_fill(~there, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, dim=1)
        return (weights.unsqueeze(-1) * turns).sum(dim=1)


class SatisfactionNet(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.turn = nn.Linear(FEATURES, dim)
        self.pool = AttentionPool(dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, turns, there):
        return self.out(self.pool(torch.tanh(self.turn(turns)), there)).squeeze(1)


def train(model, turns, there, satisfied, epochs=10, batch_size=50):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(turns)).split(batch_size):
            loss = nn.functional.binary_cross_entropy_with_logits(model(turns[rows], there[rows]), satisfied[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        if epoch % 3 == 0:
            print(f"epoch {epoch}: loss {total / len(turns):.3f}")


def main(seed=0):
    torch.manual_seed(seed)
    model = SatisfactionNet()
    train(model, *call(500, seed))
    turns, there, satisfied = call(300, seed + 10000)
    with torch.no_grad():
        right = ((model(turns, there) > 0) == (satisfied > 0)).float().mean().item()
    print(f"right: {right:.3f}")
    return right


if __name__ == "__main__":
    main()
