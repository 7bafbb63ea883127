"""Batches of log-mel spectra. Two corpora take turns; only one of them says who is speaking."""

import torch

COMMANDS, SPEAKERS = 6, 12


def load_batches(count=8, batch_size=16, frames=25, bands=20, seed=0, rank=0):
    generator = torch.Generator().manual_seed(1000 * seed + rank)
    for number in range(count):
        commands = torch.randint(COMMANDS, (batch_size,), generator=generator)
        speakers = torch.randint(SPEAKERS, (batch_size,), generator=generator)
        spectra = torch.randn(batch_size, frames, bands, generator=generator)
        spectra[:, :, 0] += commands[:, None]
        spectra[:, :, 1] += speakers[:, None]
        yield spectra, commands, speakers if number % 2 == 0 else None
