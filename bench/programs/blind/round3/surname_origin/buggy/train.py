import argparse
import string

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

LETTERS = string.ascii_lowercase
SYLLABLES = {
    "nordic": ["berg", "sen", "lund", "strom", "hol", "kvist", "dahl", "en"],
    "slavic": ["ova", "ski", "nov", "vic", "pet", "mil", "dra", "ko"],
    "italian": ["ino", "etti", "ros", "bian", "chi", "ello", "ma", "ro"],
    "japanese": ["ya", "mo", "ta", "ka", "shi", "na", "mura", "ko"],
    "basque": ["etx", "ber", "arri", "aga", "ur", "iz", "ola", "be"],
}
COMMON = ["an", "ma", "el", "ro", "ko", "en", "ta"]


def make_names(n, seed):
    rng = np.random.RandomState(seed)
    origins = list(SYLLABLES)
    names, labels = [], []
    for _ in range(n):
        k = rng.randint(len(origins))
        parts = []
        for _ in range(rng.randint(2, 5)):
            source = COMMON if rng.rand() < 0.3 else SYLLABLES[origins[k]]
            parts.append(source[rng.randint(len(source))])
        names.append("".join(parts))
        labels.append(k)
    return names, torch.tensor(labels)


def to_batch(names):
    ids = [torch.tensor([LETTERS.index(c) + 1 for c in name]) for name in names]
    lengths = torch.tensor([len(i) for i in ids])
    return pad_sequence(ids, batch_first=True), lengths


class NameGRU(nn.Module):
    def __init__(self, n_letters, n_origins, embed=16, hidden=48):
        super(NameGRU, self).__init__()
        self.embed = nn.Embedding(n_letters + 1, embed, padding_idx=0)
        self.gru = nn.GRU(embed, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_origins)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.embed(ids), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.gru(packed)
        return F.log_softmax(self.out(h[-1]), dim=0)


def predict(model, name):
    model.eval()
    with torch.no_grad():
        scores = model(*to_batch([name]))
    return scores.argmax(dim=1).item()


def accuracy(model, names, labels):
    hits = sum(predict(model, name) == label for name, label in zip(names, labels.tolist()))
    return hits / len(names)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)

    names, labels = make_names(2500, seed=1)
    test_names, test_labels = make_names(500, seed=2)
    model = NameGRU(len(LETTERS), len(SYLLABLES))
    criterion = nn.NLLLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)

    for epoch in range(args.epochs):
        model.train()
        order = torch.randperm(len(names)).tolist()
        total, steps = 0.0, 0
        for i in range(0, len(order), args.batch_size):
            idx = order[i:i + args.batch_size]
            ids, lengths = to_batch([names[j] for j in idx])
            loss = criterion(model(ids, lengths), labels[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            steps += 1
        print("epoch %d: loss %.4f  test accuracy %.3f"
              % (epoch + 1, total / steps, accuracy(model, test_names, test_labels)))


if __name__ == "__main__":
    main()
