import torch
from torch import nn


class TicketClassifier(nn.Module):
    def __init__(self, n_words, n_classes, max_len, dim=32, heads=4, layers=2):
        super().__init__()
        self.embed = nn.Embedding(n_words, dim, padding_idx=0)
        self.pos = nn.Parameter(0.02 * torch.randn(max_len, dim))
        block = nn.TransformerEncoderLayer(dim, heads, 64, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.head = nn.Linear(dim, n_classes)

    def forward(self, tokens):
        pad = tokens == 0
        h = self.encoder(self.embed(tokens) + self.pos, src_key_padding_mask=pad)
        keep = (~pad).unsqueeze(-1).float()
        return self.head((h * keep).sum(1) / keep.sum(1))
