"""Recordings of dialled digits: one row of energies per frame."""

import numpy as np
import torch

DIGITS = 5
BANDS = 10


def recording(rng):
    """Energies and digits; one recording in eight was cut off when it was stored."""
    digits = rng.randint(DIGITS, size=rng.randint(3, 6))
    rows = []
    for digit in digits:
        rows += [digit] * rng.randint(2, 4) + [-1]
    energies = rng.normal(0, 0.2, size=(len(rows), BANDS))
    for row, digit in zip(energies, rows):
        if digit >= 0:
            row[2 * digit:2 * digit + 2] += 1
    if rng.rand() < 0.125:
        energies = energies[:2]
    return torch.from_numpy(energies).float(), torch.from_numpy(digits + 1)


def batch(count, seed):
    rng = np.random.RandomState(seed)
    pairs = [recording(rng) for _ in range(count)]
    frames = torch.tensor([len(energies) for energies, _ in pairs])
    lengths = torch.tensor([len(digits) for _, digits in pairs])
    padded = torch.nn.utils.rnn.pad_sequence([energies for energies, _ in pairs])
    return padded, frames, torch.cat([digits for _, digits in pairs]), lengths
