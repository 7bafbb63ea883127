from torch import nn

from positions import sinusoids


class Tagger(nn.Module):
    """Names the part of speech of each word."""

    def __init__(self, vocabulary=500, tags=12, size=32, layers=2):
        super().__init__()
        self.size = size
        self.words = nn.Embedding(vocabulary, size)
        layer = nn.TransformerEncoderLayer(size, nhead=4, dim_feedforward=64, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers)
        self.tags = nn.Linear(size, tags)

    def forward(self, words):
        features = self.words(words) * self.size**0.5 + sinusoids(words.shape[1], self.size)
        return self.tags(self.encoder(features))
