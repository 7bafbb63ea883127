"""Recommends records: a two-tower model learns one vector per listener and one per record."""

import torch
import torch.nn.functional as F
from torch import nn

LISTENERS, RECORDS, GENRES = 60, 96, 6


def listen(count, generator):
    """``count`` plays as pairs (listener, record); everybody mostly plays one genre."""
    listeners = torch.randint(LISTENERS, (count,), generator=generator)
    genres = listeners % GENRES
    strays = torch.rand(count, generator=generator) < 0.1
    genres = torch.where(strays, torch.randint(GENRES, (count,), generator=generator), genres)
    shelf = torch.randint(RECORDS // GENRES, (count,), generator=generator)
    return listeners, genres + GENRES * shelf


class Retrieval(nn.Module):
    def __init__(self, dimension=8):
        super().__init__()
        self.listeners = nn.Embedding(LISTENERS, dimension)
        self.records = nn.Embedding(RECORDS, dimension)
        for table in (self.listeners, self.records):
            nn.init.normal_(table.weight, std=0.3)

    def forward(self, listeners):
        """A score for every record, for each of the listeners."""
        return self.listeners(listeners) @ self.records.weight.t()


class Trainer:
    def __init__(self, model, learning_rate=0.1, batch_size=64):
        self.model = model
        self.batch_size = batch_size
        self.optimizer = torch.optim.Adagrad(model.parameters(), lr=learning_rate)

    def fit(self, listeners, records, held_out, epochs):
        for epoch in range(epochs):
            self.model.train()
            losses = []
            for batch in torch.randperm(len(records)).split(self.batch_size):
                loss = F.cross_entropy(self.model(listeners[batch]), records[batch])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                losses.append(loss.item())
            print(
                f"Epoch {epoch + 1}/{epochs} - loss: {sum(losses) / len(losses):.4f}"
                f" - top_16_accuracy: {self.top_k(*held_out):.4f}"
            )

    @torch.no_grad()
    def top_k(self, listeners, records, k=16):
        """How often the record that was played is among the k best."""
        self.model.eval()
        best = self.model(listeners).topk(k, dim=1).indices
        return (best == records.unsqueeze(1)).any(dim=1).float().mean().item()


def main(seed=0):
    """Trains on 2400 plays; returns how often a held-out play is among the best sixteen."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    plays, held_out = listen(2400, generator), listen(600, generator)
    trainer = Trainer(Retrieval())
    trainer.fit(*plays, held_out, epochs=12)
    return trainer.top_k(*held_out)


if __name__ == "__main__":
    main()
