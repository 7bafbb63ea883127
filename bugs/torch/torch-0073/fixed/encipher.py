"""Enciphers words: every letter is shifted by the one before it. A toy translation."""

import torch
from torch import nn

from config import TrainingConfig
from training import TrainManager, sequence_accuracy

LETTERS, LENGTH = 8, 5


def make_words(count, generator):
    words = torch.randint(LETTERS, (count, LENGTH), generator=generator)
    before = torch.cat([torch.zeros(count, 1, dtype=torch.long), words[:, :-1]], dim=1)
    return words, (words + before) % LETTERS


class Cipher(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.embed = nn.Embedding(LETTERS, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * dim, LETTERS)

    def forward(self, words):
        return self.out(self.rnn(self.embed(words))[0])


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    train_set, valid_set, test_set = (make_words(count, generator) for count in (600, 150, 150))
    model = Cipher()
    manager = TrainManager(model, TrainingConfig())
    manager.train_and_validate(train_set, valid_set)
    accuracy = sequence_accuracy(model, *test_set)
    print(f"test with the checkpoint of validation {manager.best_epoch}: {accuracy:.3f}")
    return accuracy


if __name__ == "__main__":
    main()
