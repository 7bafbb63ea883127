"""Attention pooling over the words of an answer; ranks answers by how well they fit their question."""

import torch
from torch import nn

VOCABULARY, PAD = 60, 0


def make_pairs(count, length=12, seed=3):
    generator = torch.Generator().manual_seed(seed)
    words = torch.randint(1, VOCABULARY, (count, length), generator=generator)
    lengths = torch.randint(4, length + 1, (count,), generator=generator)
    words[torch.arange(length)[None, :] >= lengths[:, None]] = PAD
    good = (words == 7).any(dim=1) | (words == 21).any(dim=1)
    return words, good.float()


class AnswerScorer(nn.Module):
    def __init__(self, dim=32, heads=4):
        super().__init__()
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.embed = nn.Embedding(VOCABULARY, dim, padding_idx=PAD)
        self.query = nn.Parameter(torch.randn(heads, dim // heads))
        self.to_keys = nn.Linear(dim, dim)
        self.to_values = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, words):
        mask = words != PAD
        vectors = self.embed(words)
        batch, length, _ = vectors.shape
        keys = self.to_keys(vectors).view(batch, length, self.heads, -1)
        values = self.to_values(vectors).view(batch, length, self.heads, -1)
        scores = torch.einsum("blhd,hd->bhl", keys, self.query) * self.scale
        scores = scores.masked_fill(~mask[:, None, :], -1e9)
        weights = scores.softmax(dim=-1)
        pooled = torch.einsum("bhl,blhd->bhd", weights, values).flatten(1)
        return self.out(pooled).squeeze(1)


def train(epochs=3, batch_size=64, fp16=True):
    words, good = make_pairs(512)
    model = AnswerScorer()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    scaler = torch.amp.GradScaler("cpu", enabled=fp16)
    for epoch in range(epochs):
        for rows in torch.randperm(len(words)).split(batch_size):
            with torch.autocast("cpu", dtype=torch.float16, enabled=fp16):
                loss = nn.functional.binary_cross_entropy_with_logits(model(words[rows]).float(), good[rows])
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        print(f"epoch {epoch} loss {loss.item():.3f}")
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    train()
