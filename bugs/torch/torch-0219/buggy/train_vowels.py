"""Trains a small denoiser of vowels and keeps its newest checkpoints."""

import sys
import tempfile

import torch
from torch import nn

from clips import load_clips
from keeping import Checkpoints

STEPS, EVERY, BATCH = 160, 20, 8


def make_model():
    return nn.Sequential(
        nn.Conv1d(1, 12, 9, padding=4),
        nn.GELU(),
        nn.Conv1d(12, 12, 9, padding=4),
        nn.GELU(),
        nn.Conv1d(12, 1, 9, padding=4),
    )


def train(folder, seed=0, steps=STEPS):
    torch.manual_seed(seed)
    clips = load_clips()
    model = make_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    checkpoints = Checkpoints(folder, keep=3)
    for step in range(1, steps + 1):
        first = (step * BATCH) % len(clips)
        clean = clips[first : first + BATCH]
        noisy = clean + 0.2 * torch.randn_like(clean)
        loss = nn.functional.mse_loss(model(noisy), clean)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        if step % EVERY == 0:
            checkpoints.save(step, model)
            print(f"step {step}: saved {checkpoints.newest().name}")
    return checkpoints


if __name__ == "__main__":
    train(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
