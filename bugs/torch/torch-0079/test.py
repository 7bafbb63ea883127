"""Healthy: equal melodies in one batch get equal continuations."""

import next_note
import oracle
import torch


def spread(seed):
    model = next_note.MelodyModel().eval()
    melody = next_note.compose(1, torch.Generator().manual_seed(seed))
    with torch.no_grad():
        scores = model(melody.expand(5, -1))
    return (scores - scores[:1]).abs().max().item()


oracle.value("largest difference between equal melodies of a batch", spread, at_most=1e-4)
