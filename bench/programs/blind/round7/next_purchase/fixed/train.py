# Next item recommendation from shopping sessions (GRU over item embeddings)
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset, random_split


@dataclass
class Config:
    n_items: int = 200
    n_groups: int = 20
    n_sessions: int = 4000
    max_len: int = 12
    emb: int = 32
    hidden: int = 64
    batch: int = 64
    epochs: int = 8
    lr: float = 3e-3
    seed: int = 7


def simulate_sessions(cfg: Config):
    """Shoppers walk through groups of related items and sometimes jump to another one."""
    rng = np.random.default_rng(cfg.seed)
    per_group = cfg.n_items // cfg.n_groups
    sessions = []
    for _ in range(cfg.n_sessions):
        length = rng.integers(4, cfg.max_len + 1)
        group, pos = rng.integers(cfg.n_groups), rng.integers(per_group)
        s = []
        for _ in range(length):
            s.append(group * per_group + pos)
            if rng.random() < 0.15:
                group = rng.integers(cfg.n_groups)
            pos = (pos + rng.choice([1, 2], p=[0.7, 0.3])) % per_group
        sessions.append(np.array(s))
    return sessions


class SessionDataset(Dataset):
    def __init__(self, sessions):
        self.sessions = sessions

    def __len__(self):
        return len(self.sessions)

    def __getitem__(self, i):
        s = self.sessions[i]
        history = torch.as_tensor(s[:-1]) + 1      # 0 is kept for padding
        return history, int(s[-1])


def collate(batch):
    hist, target = zip(*batch)
    lengths = torch.tensor([len(h) for h in hist])
    return pad_sequence(hist, batch_first=True), lengths, torch.tensor(target)


class SessionGRU(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.items = nn.Embedding(cfg.n_items + 1, cfg.emb, padding_idx=0)
        self.gru = nn.GRU(cfg.emb, cfg.hidden, batch_first=True)
        self.out = nn.Linear(cfg.hidden, cfg.n_items)

    def forward(self, hist, lengths):
        states, _ = self.gru(self.items(hist))
        last = states[torch.arange(len(hist)), lengths - 1]
        return self.out(last)


@torch.no_grad()
def evaluate(model, loader, k=5):
    model.eval()
    hits, rr, n = 0, 0.0, 0
    for hist, lengths, target in loader:
        scores = model(hist, lengths)
        rank = (scores > scores.gather(1, target[:, None])).sum(1) + 1
        hits += (rank <= k).sum().item()
        rr += (1.0 / rank).sum().item()
        n += len(target)
    return hits / n, rr / n


def run(cfg: Config):
    torch.manual_seed(cfg.seed)
    data = SessionDataset(simulate_sessions(cfg))
    n_val = len(data) // 5
    train_set, val_set = random_split(data, [len(data) - n_val, n_val])
    train_loader = DataLoader(train_set, cfg.batch, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(val_set, 256, collate_fn=collate)

    model = SessionGRU(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        losses = []
        for hist, lengths, target in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(hist, lengths), target)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            losses.append(loss.item())
        hit, mrr = evaluate(model, val_loader)
        print(f"[{epoch}] loss={np.mean(losses):.3f} hit@5={hit:.3f} mrr={mrr:.3f}")


if __name__ == "__main__":
    run(Config())
