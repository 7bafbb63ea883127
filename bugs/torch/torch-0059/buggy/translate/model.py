"""A small encoder-decoder for word-by-word translation."""

import torch
from torch import nn


class Translator(nn.Module):
    def __init__(self, source_words, target_words, dim=24, share_decoder_embeddings=False):
        super().__init__()
        self.source = nn.Embedding(source_words, dim, sparse=True)
        self.target = nn.Embedding(target_words, dim, sparse=True)
        self.encoder = nn.GRU(dim, dim, batch_first=True)
        self.decoder = nn.GRU(dim, dim, batch_first=True)
        self.generator = nn.Linear(dim, target_words, bias=False)
        if share_decoder_embeddings:
            self.generator.weight = self.target.weight

    def forward(self, source, previous):
        _, state = self.encoder(self.source(source))
        outputs, _ = self.decoder(self.target(previous), state)
        return self.generator(outputs)
