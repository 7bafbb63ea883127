import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class UtteranceEncoder(nn.Module):
    """Bidirectional LSTM over padded utterances; returns one vector for each."""

    def __init__(self, vocab, dim=24, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)

    def forward(self, ids, lengths):
        # cuDNN wants the longest utterance first
        lengths, order = lengths.sort(descending=True)
        packed = pack_padded_sequence(self.embed(ids[order]), lengths, batch_first=True)
        _, (h, _) = self.lstm(packed)
        h = torch.cat([h[0], h[1]], dim=1)
        return h[order.argsort()]


class IntentModel(nn.Module):
    def __init__(self, vocab, intents, hidden=32):
        super().__init__()
        self.encoder = UtteranceEncoder(vocab, hidden=hidden)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(2 * hidden, intents)

    def forward(self, ids, lengths):
        return self.out(self.drop(self.encoder(ids, lengths)))
