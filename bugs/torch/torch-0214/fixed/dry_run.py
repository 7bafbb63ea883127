"""Shows the shapes and the number of weights of a tagger on some device; on "meta" it needs no memory."""

import sys

import torch

from tagger import Tagger


def dry_run(device="meta", batch_size=4, length=16, **sizes):
    model = Tagger(**sizes).to(device)
    words = torch.randint(500, (batch_size, length)).to(device)
    scores = model(words)
    weights = sum(weight.numel() for weight in model.parameters())
    print(f"{weights} weights, words {tuple(words.shape)}, scores {tuple(scores.shape)} on {scores.device}")
    return scores


if __name__ == "__main__":
    dry_run(*sys.argv[1:])
