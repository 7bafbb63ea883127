"""Embeds a small knowledge graph of rivers with TransE and shows how training goes."""

import torch
from torch import nn

from graph import make_triples
from progress import Progress

EPOCHS, SIZE, BATCH = 12, 16, 64


class TransE(nn.Module):
    def __init__(self, entities, relations):
        super().__init__()
        self.entities = nn.Embedding(entities, SIZE)
        self.relations = nn.Embedding(relations, SIZE)

    def forward(self, triples):
        head, relation, tail = triples.unbind(dim=1)
        return (self.entities(head) + self.relations(relation) - self.entities(tail)).norm(dim=1)


def corrupted(triples, entities):
    other = triples.clone()
    other[:, 2] = torch.randint(entities, (len(triples),))
    return other


def train(seed=0, epochs=EPOCHS):
    torch.manual_seed(seed)
    triples, entities, relations = make_triples()
    model = TransE(entities, relations)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    progress = Progress()
    for epoch in range(1, epochs + 1):
        total = 0.0
        for batch in triples[torch.randperm(len(triples))].split(BATCH):
            loss = (1 + model(batch) - model(corrupted(batch, entities))).clamp(min=0).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        progress.show(epoch, total / len(triples))
    return progress


if __name__ == "__main__":
    train()
