"""Routes support tickets to a team with a small transformer encoder."""
import argparse

import numpy as np
import torch
from torch import nn

PAD, CLS = 0, 1
VOCAB = 200
TEAMS = 5


def make_tickets(n, max_len, rng):
    ids = np.zeros((n, max_len), dtype=np.int64)
    teams = rng.integers(0, TEAMS, size=n)
    for i, team in enumerate(teams):
        length = rng.integers(max_len // 2, max_len + 1)
        words = rng.integers(52, VOCAB, size=length)
        # a few words of the team's own jargon
        where = rng.choice(length, size=3, replace=False)
        words[where] = 2 + team * 10 + rng.integers(0, 10, size=3)
        ids[i, :length] = words
    return torch.from_numpy(ids), torch.from_numpy(teams)


class Router(nn.Module):
    def __init__(self, max_len, dim=32, heads=4, layers=2):
        super().__init__()
        self.tokens = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.positions = nn.Embedding(max_len, dim)
        block = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.head = nn.Linear(dim, TEAMS)

    def forward(self, ids):
        cls = torch.full((ids.size(0), 1), CLS, dtype=ids.dtype)
        ids = torch.cat([cls, ids], dim=1)
        pos = torch.arange(ids.size(1))
        x = self.tokens(ids) + self.positions(pos)
        x = self.encoder(x, src_key_padding_mask=ids == PAD)
        return self.head(x[:, 0])


def accuracy(model, ids, teams):
    model.eval()
    with torch.no_grad():
        return (model(ids).argmax(1) == teams).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--max-len", type=int, default=24)
    args = parser.parse_args()

    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    train_ids, train_teams = make_tickets(2000, args.max_len, rng)
    val_ids, val_teams = make_tickets(400, args.max_len, rng)

    model = Router(args.max_len)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        model.train()
        order = torch.randperm(len(train_ids))
        losses = []
        for idx in order.split(args.batch_size):
            loss = loss_fn(model(train_ids[idx]), train_teams[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch}: loss {np.mean(losses):.4f} val acc {accuracy(model, val_ids, val_teams):.3f}")


if __name__ == "__main__":
    main()
