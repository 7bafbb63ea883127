"""Insurance claims: short text plus a few numbers -> complex case or not (PyTorch 1.x)."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence
from torch.utils.data import DataLoader, TensorDataset

VOCAB, MAX_LEN, N_META = 80, 18, 4


def make_claims(n, seed):
    rng = np.random.RandomState(seed)
    weight_of_word = np.random.RandomState(99).normal(0, 1, VOCAB)
    tokens = np.zeros((n, MAX_LEN), dtype=np.int64)
    lengths = rng.randint(4, MAX_LEN + 1, n)
    text_score = np.zeros(n)
    for i, l in enumerate(lengths):
        words = rng.randint(1, VOCAB, l)
        tokens[i, :l] = words
        text_score[i] = weight_of_word[words].sum() / np.sqrt(l)
    meta = rng.normal(0, 1, (n, N_META))
    score = text_score + 1.2 * meta[:, 0] - 0.8 * meta[:, 1] + 0.3 * rng.normal(0, 1, n)
    return (torch.from_numpy(tokens), torch.from_numpy(lengths),
            torch.from_numpy(meta).float(), torch.from_numpy((score > 0).astype(np.float32)))


class ClaimNet(nn.Module):
    def __init__(self, emb=16, hidden=24):
        super(ClaimNet, self).__init__()
        self.embed = nn.Embedding(VOCAB, emb, padding_idx=0)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden + N_META, 32), nn.ReLU(), nn.Dropout(0.3),
                                  nn.Linear(32, 1))

    def forward(self, tokens, lengths, meta):
        packed = pack_padded_sequence(self.embed(tokens), lengths, batch_first=True)
        _, last = self.gru(packed)
        return self.head(torch.cat([last[-1], meta], dim=1)).squeeze(1)


def by_length(batch):
    tokens, lengths, meta, y = batch
    lengths, order = torch.sort(lengths, descending=True)
    return tokens[order], lengths, meta[order], y[order]


def evaluate(net, loader, criterion):
    net.eval()
    loss, hits, n = 0.0, 0, 0
    with torch.no_grad():
        for batch in loader:
            tokens, lengths, meta, y = by_length(batch)
            out = net(tokens, lengths, meta)
            loss += criterion(out, y).item() * len(y)
            hits += ((out > 0).float() == y).sum().item()
            n += len(y)
    return loss / n, hits / n


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=8)
    parser.add_argument('--lr', type=float, default=2e-3)
    parser.add_argument('--seed', type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)

    train = DataLoader(TensorDataset(*make_claims(6000, 1)), batch_size=50, shuffle=True)
    valid = DataLoader(TensorDataset(*make_claims(800, 2)), batch_size=200)
    net = ClaimNet()
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        net.train()
        total = 0.0
        for batch in train:
            tokens, lengths, meta, y = by_length(batch)
            loss = criterion(net(tokens, lengths, meta), y)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            total += loss.item() * len(y)
        vl, va = evaluate(net, valid, criterion)
        print('epoch {:2d}  train loss {:.4f}  val loss {:.4f}  val acc {:.3f}'.format(
            epoch + 1, total / 6000, vl, va))


if __name__ == '__main__':
    main()
