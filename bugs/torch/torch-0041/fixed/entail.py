"""Decides whether a statement follows from another one, contradicts it, or neither."""

import torch
import torch.nn.functional as F
from torch import nn

RELATIONS = 3


def make_statements(count, generator, facts=10):
    """Two statements are vectors of facts: 1 true, -1 false, 0 not mentioned."""
    first = torch.randint(-1, 2, (count, facts), generator=generator).float()
    second = torch.zeros_like(first)
    chosen = torch.randint(facts, (count,), generator=generator)
    rows = torch.arange(count)
    first[rows, chosen] = torch.randint(2, (count,), generator=generator).float() * 2 - 1
    relation = torch.randint(RELATIONS, (count,), generator=generator)
    second[rows, chosen] = first[rows, chosen] * torch.tensor([1.0, -1.0, 0.0])[relation]
    unsaid = (first == 0).float()
    mentioned = torch.multinomial(unsaid + 1e-6, 1, generator=generator).squeeze(1)
    second[rows, mentioned] += (relation == 2).float()
    return torch.cat([first, second], dim=1), relation


class EntailmentNet(nn.Module):
    def __init__(self, inputs=20, hidden=14, depth=3, act=F.relu):
        super().__init__()
        self.act = act
        self.hids = nn.ModuleList()
        for _ in range(depth):
            self.hids.append(nn.Linear(inputs, hidden))
            inputs = hidden
        self.classifier = nn.Linear(hidden, RELATIONS)

    def forward(self, pairs):
        for layer in self.hids:
            pairs = self.act(layer(pairs))
        return self.classifier(pairs)


def fit(model, pairs, relation, epochs=25, batch_size=200):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(pairs)).split(batch_size):
            loss = F.cross_entropy(model(pairs[rows]), relation[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1:2d}  loss {total / len(pairs):.3f}")


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = EntailmentNet()
    fit(model, *make_statements(2000, generator))
    pairs, relation = make_statements(500, generator)
    with torch.no_grad():
        accuracy = (model(pairs).argmax(dim=1) == relation).float().mean().item()
    print(f"new pairs: {accuracy:.3f}")
    return accuracy


if __name__ == "__main__":
    main()
