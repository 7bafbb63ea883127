import torch
from torch import nn

from data import BOS, EOS, PAD, VOCAB


class Sorter(nn.Module):
    def __init__(self, dim=40, heads=4, layers=2, max_len=16):
        super().__init__()
        self.tokens = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.positions = nn.Embedding(max_len, dim)
        self.transformer = nn.Transformer(dim, heads, layers, layers, dim_feedforward=96,
                                          dropout=0.0, batch_first=True)
        self.out = nn.Linear(dim, VOCAB)

    def embed(self, ids):
        return self.tokens(ids) + self.positions(torch.arange(ids.shape[1]))

    def forward(self, src, tgt):
        length = tgt.shape[1]
        future = torch.triu(torch.ones(length, length, dtype=torch.bool), diagonal=2)
        hidden = self.transformer(
            self.embed(src), self.embed(tgt), tgt_mask=future,
            src_key_padding_mask=src == PAD, memory_key_padding_mask=src == PAD,
            tgt_key_padding_mask=tgt == PAD)
        return self.out(hidden)

    @torch.no_grad()
    def greedy(self, src, max_len=8):
        ids = torch.full((len(src), 1), BOS)
        finished = torch.zeros(len(src), dtype=torch.bool)
        for _ in range(max_len):
            step = self(src, ids)[:, -1].argmax(-1)
            step = torch.where(finished, torch.full_like(step, PAD), step)
            ids = torch.cat([ids, step.unsqueeze(1)], dim=1)
            finished |= step == EOS
            if finished.all():
                break
        return ids[:, 1:]
