import os

import numpy as np
import torch

TOPICS = {
    "billing": ["invoice", "refund", "charge", "card", "price", "receipt"],
    "login": ["password", "account", "reset", "email", "locked", "code"],
    "shipping": ["parcel", "courier", "late", "address", "track", "door"],
    "bug": ["crash", "screen", "error", "update", "freeze", "button"],
}
FILLER = ["the", "my", "please", "help", "is", "not", "a", "today", "why", "and", "to", "with"]
WORDS = ["<pad>"] + FILLER + [w for ws in TOPICS.values() for w in ws]
WORD_ID = {w: i for i, w in enumerate(WORDS)}
MAX_LEN = 16


def make_tickets(n, seed):
    rng = np.random.default_rng(seed)
    names = list(TOPICS)
    x = np.zeros((n, MAX_LEN), dtype=np.int64)
    y = rng.integers(0, len(names), size=n)
    for i in range(n):
        length = rng.integers(6, MAX_LEN + 1)
        for j in range(length):
            r = rng.random()
            if r < 0.25:
                word = rng.choice(TOPICS[names[y[i]]])
            elif r < 0.37:
                word = rng.choice(TOPICS[names[rng.integers(len(names))]])
            else:
                word = rng.choice(FILLER)
            x[i, j] = WORD_ID[word]
    return torch.from_numpy(x), torch.from_numpy(y)


def save_checkpoint(path, model, optimizer, epoch, args):
    torch.save({
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "epoch": epoch,
        "args": vars(args),
    }, path)


def load_checkpoint(path, model):
    if not os.path.exists(path):
        raise FileNotFoundError(path)
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    return checkpoint["epoch"]
