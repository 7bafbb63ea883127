"""Recognizes digits with a convolution that subsamples by four, a GRU and CTC."""

import torch
from torch import nn

from utterances import BANDS, DIGITS, pad, speak

SUBSAMPLING = 4


class Recognizer(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.subsample = nn.Conv1d(BANDS, hidden, kernel_size=SUBSAMPLING, stride=SUBSAMPLING)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, DIGITS + 1)

    def forward(self, frames, lengths):
        hidden = torch.relu(self.subsample(frames.transpose(1, 2))).transpose(1, 2)
        outputs, _ = self.rnn(hidden)
        return self.out(outputs).log_softmax(dim=-1), lengths // SUBSAMPLING


def select(spoken):
    """Utterances that can be trained on."""
    return [(frames, digits) for frames, digits in spoken if 0 < len(digits) <= len(frames) // SUBSAMPLING]


def train(model, spoken, epochs=8, batch_size=20):
    spoken = select(spoken)
    criterion = nn.CTCLoss(blank=0)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        order, total = torch.randperm(len(spoken)).tolist(), 0.0
        for start in range(0, len(order), batch_size):
            frames, lengths, digits, digit_lengths = pad([spoken[i] for i in order[start : start + batch_size]])
            log_probs, lengths = model(frames, lengths)
            loss = criterion(log_probs.transpose(0, 1), digits, lengths, digit_lengths)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: ctc loss {total * batch_size / len(order):.3f}")


@torch.no_grad()
def share_correct(model, spoken):
    correct = 0
    for utterance in spoken:
        frames, lengths, digits, _ = pad([utterance])
        best = model(frames, lengths)[0][0].argmax(dim=1)
        heard = torch.unique_consecutive(best)
        correct += heard[heard != 0].tolist() == digits.tolist()
    return correct / len(spoken)


def main(seed=0):
    torch.manual_seed(seed)
    model = Recognizer()
    train(model, speak(300, seed))
    correct = share_correct(model, speak(100, seed + 77))
    print(f"utterances recognized: {correct:.2f}")
    return correct


if __name__ == "__main__":
    main()
