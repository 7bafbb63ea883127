"""Pre-trains a language model on letters; can be interrupted and resumed."""

import argparse
import tempfile

import torch
from torch import nn

from checkpointing import load_checkpoint, save_checkpoint

TEXT = "the quick brown fox jumps over the lazy dog and the dog sleeps on " * 20
LETTERS = sorted(set(TEXT))


class LetterModel(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.embed = nn.Embedding(len(LETTERS), hidden)
        self.rnn = nn.LSTM(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, len(LETTERS))

    def forward(self, letters):
        return self.out(self.rnn(self.embed(letters))[0])


def get_args(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--iterations", type=int, default=6)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--save", required=True)
    parser.add_argument("--load-iteration", type=int, default=None)
    return parser.parse_args(arguments)


def pretrain(arguments):
    args = get_args(arguments)
    model = LetterModel(args.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    start = 0
    if args.load_iteration is not None:
        start, old_args = load_checkpoint(args.save, args.load_iteration, model, optimizer)
        print(f"resumed at iteration {start}, trained with lr {old_args.lr}")
    text = torch.tensor([LETTERS.index(letter) for letter in TEXT])
    for iteration in range(start, args.iterations):
        rows = torch.stack([text[i : i + 31] for i in torch.randint(len(text) - 31, (16,)).tolist()])
        loss = nn.functional.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"iteration {iteration}: {loss.item():.3f}")
    save_checkpoint(args.save, args.iterations, model, optimizer, args)


def main():
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        pretrain(["--save", folder, "--iterations", "3"])
        pretrain(["--save", folder, "--iterations", "5", "--load-iteration", "3"])


if __name__ == "__main__":
    main()
