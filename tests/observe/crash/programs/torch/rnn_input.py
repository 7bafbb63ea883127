import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocabulary=50, embedding=16, hidden=32):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, embedding)
        self.rnn = nn.LSTM(hidden, hidden, batch_first=True)
        self.tags = nn.Linear(hidden, 4)

    def forward(self, ids):
        states, _ = self.rnn(self.embedding(ids))
        return self.tags(states)


print(Tagger()(torch.zeros(2, 6, dtype=torch.long)).shape)
