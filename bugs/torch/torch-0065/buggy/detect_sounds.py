"""Detects which sounds occur in each frame of a street recording: car, dog, siren, bird."""

import torch
from torch import nn

from metrics import error_rate_per_frame, f1_per_frame

EVENTS, BANDS = 4, 16


def record(count, seed, frames=30):
    generator = torch.Generator().manual_seed(seed)
    events = torch.zeros(count, frames, EVENTS)
    for scene in events:
        for event in range(EVENTS):
            if torch.rand(1, generator=generator) < 0.6:
                start = int(torch.randint(frames - 10, (1,), generator=generator))
                scene[start : start + 10, event] = 1.0
    bands = 0.8 * torch.randn(count, frames, BANDS, generator=generator)
    for event in range(EVENTS):
        bands[:, :, 3 * event : 3 * event + 3] += 0.9 * events[:, :, event : event + 1]
    return bands, events


class SoundNet(nn.Module):
    """Scores of the events per frame; the loss takes the sigmoid."""

    def __init__(self, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(BANDS, hidden, batch_first=True, bidirectional=True)
        self.classifier = nn.Linear(2 * hidden, EVENTS)

    def forward(self, bands):
        return self.classifier(self.rnn(bands)[0])


def evaluate(model, bands, events):
    model.eval()
    with torch.no_grad():
        y_hat = model(bands)
    return f1_per_frame(y_hat, events), error_rate_per_frame(y_hat, events)


def main(epochs=4, batch_size=20):
    torch.manual_seed(0)
    bands, events = record(160, seed=1)
    held_out = record(40, seed=2)
    model = SoundNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        model.train()
        for rows in torch.randperm(len(bands)).split(batch_size):
            loss = nn.functional.binary_cross_entropy_with_logits(model(bands[rows]), events[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        f1, error_rate = evaluate(model, *held_out)
        print(f"epoch {epoch}: loss {loss.item():.3f}  F1 {f1:.3f}  ER {error_rate:.3f}")
    return model


if __name__ == "__main__":
    main()
