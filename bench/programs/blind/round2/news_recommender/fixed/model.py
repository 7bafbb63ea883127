import torch
from torch import nn


class TwoTower(nn.Module):
    """Scores candidate articles against the mean of the clicked ones."""

    def __init__(self, n_rows, dim=24):
        super().__init__()
        self.articles = nn.Embedding(n_rows, dim, padding_idx=0)
        nn.init.normal_(self.articles.weight, std=0.1)
        with torch.no_grad():
            self.articles.weight[0].zero_()
        self.reader = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, past, candidates):
        emb = self.articles(past)
        seen = (past != 0).unsqueeze(-1).float()
        mean = (emb * seen).sum(1) / seen.sum(1).clamp(min=1)
        reader = mean + self.reader(mean)
        return torch.einsum("bd,bkd->bk", reader, self.articles(candidates))
