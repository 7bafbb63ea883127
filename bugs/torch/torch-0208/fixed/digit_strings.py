"""Reads dialled digits with a recurrent network and connectionist temporal classification."""

import torch
from torch import nn

import tone_strings


class Reader(nn.Module):

    def __init__(self, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(tone_strings.BANDS, hidden, bidirectional=True)
        self.output = nn.Linear(2 * hidden, tone_strings.DIGITS + 1)

    def forward(self, energies):
        return self.output(self.rnn(energies)[0]).log_softmax(dim=2)


def train(steps=80, seed=0):
    torch.manual_seed(seed)
    model = Reader()
    criterion = nn.CTCLoss(blank=0, zero_infinity=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(steps):
        energies, frames, digits, lengths = tone_strings.batch(16, seed=1000 * seed + step)
        loss = criterion(model(energies), digits, frames, lengths)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        if step in (0, 1, 2, 10, 40, steps - 1):
            print("step %d: loss %.3f" % (step, loss.item()))
    return model


def read(model, energies):
    """The digits of one recording: the best class of each frame, without repetitions and blanks."""
    with torch.no_grad():
        best = model(energies.unsqueeze(1)).argmax(dim=2).squeeze(1).tolist()
    return [now - 1 for before, now in zip([0] + best, best) if now != before and now != 0]


if __name__ == "__main__":
    train()
