"""Finds where notes begin in recordings of a flute: one decision per frame, by a recurrent network.

Frames at and around an onset weigh more than the rest, and frames without any sound weigh nothing.
"""

import torch
import torch.nn.functional as F
from torch import nn

FRAMES, BANDS = 20, 6


def play(count, generator):
    """``count`` recordings (FRAMES x BANDS), their onsets, and the weight of every frame."""
    sound = 0.2 * torch.randn(count, FRAMES, BANDS, generator=generator)
    onsets = torch.zeros(count, FRAMES)
    weights = torch.zeros(count, FRAMES)
    for number in range(count):
        notes = torch.randint(4, (1,), generator=generator).item()
        for start in torch.randperm(FRAMES // 5, generator=generator)[:notes].tolist():
            band = torch.randint(BANDS, (1,), generator=generator).item()
            start *= 5
            sound[number, start : start + 4, band] += torch.tensor([1.5, 1.2, 0.9, 0.6])
            onsets[number, start] = 1.0
            weights[number, start : start + 4] = torch.tensor([3.0, 1.0, 1.0, 1.0])
    return sound, onsets, weights


class OnsetNet(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.gru = nn.GRU(BANDS, hidden, batch_first=True)
        self.onset = nn.Linear(hidden, 1)

    def forward(self, sound):
        states, _ = self.gru(sound)
        return self.onset(states).squeeze(-1)


def onset_loss(logits, onsets, weights):
    """Weighted mean over the frames of each recording, averaged over the recordings."""
    losses = F.binary_cross_entropy_with_logits(logits, onsets, reduction="none")
    per_recording = (losses * weights).sum(dim=1) / weights.sum(dim=1)
    return per_recording.mean()


@torch.no_grad()
def hit_rate(model, sound, onsets, weights):
    """Share of the sounding frames that are judged correctly."""
    model.eval()
    right = (model(sound) > 0) == (onsets > 0.5)
    return right[weights > 0].float().mean().item()


def main(seed=0, epochs=12, batch_size=16):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    sound, onsets, weights = play(160, generator)
    held_out = play(80, generator)
    model = OnsetNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(epochs):
        model.train()
        split_losses = []
        for batch in torch.randperm(len(sound)).split(batch_size):
            loss = onset_loss(model(sound[batch]), onsets[batch], weights[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            split_losses.append(loss.item())
        train_loss = sum(split_losses) / len(split_losses)
        print(f"epoch {epoch:2d} | train loss {train_loss:.4f} | frames right {hit_rate(model, *held_out):.3f}")
    return train_loss


if __name__ == "__main__":
    main()
