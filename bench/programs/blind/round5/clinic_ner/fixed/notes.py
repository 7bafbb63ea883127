"""Synthetic clinical notes with token level tags."""
import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

TAGS = ["O", "DRUG", "DOSE", "SYMPTOM"]
PAD = 0                 # token id of the padding
PAD_TAG = len(TAGS)     # tag id on padded positions
VOCAB = 220
DRUGS, DOSES, SYMPTOMS = range(1, 31), range(31, 51), range(51, 91)
TRIGGER = range(91, 96)     # "denies", "no", "without" ...


def make_note(rng):
    """Drug names are mostly followed by a dose; negated symptoms are not tagged."""
    tokens, tags = [], []
    for _ in range(int(rng.integers(3, 9))):
        for _ in range(int(rng.integers(1, 4))):
            tokens.append(int(rng.integers(96, VOCAB)))
            tags.append(0)
        kind = rng.random()
        if kind < 0.3:
            tokens.append(int(rng.choice(DRUGS)))
            tags.append(1)
            if rng.random() < 0.7:
                tokens.append(int(rng.choice(DOSES)))
                tags.append(2)
        elif kind < 0.45:
            tokens.append(int(rng.choice(DOSES)))       # a bare number
            tags.append(0)
        elif kind < 0.75:
            negated = rng.random() < 0.5
            if negated:
                tokens.append(int(rng.choice(TRIGGER)))
                tags.append(0)
            tokens.append(int(rng.choice(SYMPTOMS)))
            tags.append(0 if negated else 3)
    return torch.tensor(tokens), torch.tensor(tags)


def make_corpus(n, seed):
    rng = np.random.default_rng(seed)
    return [make_note(rng) for _ in range(n)]


def collate(batch):
    tokens, tags = zip(*batch)
    return (pad_sequence(tokens, batch_first=True, padding_value=PAD),
            pad_sequence(tags, batch_first=True, padding_value=PAD_TAG))
