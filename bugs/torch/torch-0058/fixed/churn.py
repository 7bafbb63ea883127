"""Predicts which customers will leave, from a table with categories and amounts."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

PLANS, REGIONS = 4, 6


def load_customers(count=1001, seed=9):
    generator = torch.Generator().manual_seed(seed)
    categories = torch.stack(
        [torch.randint(PLANS, (count,), generator=generator), torch.randint(REGIONS, (count,), generator=generator)], dim=1
    )
    amounts = torch.randn(count, 5, generator=generator)
    leaving = (amounts[:, 0] + 0.5 * (categories[:, 0] == 2) - 0.4 * amounts[:, 3] > 0.3).float()
    return TensorDataset(categories, amounts, leaving)


class TabMlp(nn.Module):
    def __init__(self, embed=4, hidden=32):
        super().__init__()
        self.plan = nn.Embedding(PLANS, embed)
        self.region = nn.Embedding(REGIONS, embed)
        self.cont_norm = nn.BatchNorm1d(5)
        self.mlp = nn.Sequential(nn.Linear(2 * embed + 5, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, 1))

    def forward(self, categories, amounts):
        embedded = [self.plan(categories[:, 0]), self.region(categories[:, 1])]
        return self.mlp(torch.cat([*embedded, self.cont_norm(amounts)], dim=1)).squeeze(1)


def fit(batch_size=32, epochs=2):
    torch.manual_seed(0)
    train_set, eval_set = random_split(load_customers(), [801, 200])
    train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True, drop_last=True)
    eval_loader = DataLoader(eval_set, batch_size=batch_size)
    model = TabMlp()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        model.train()
        for categories, amounts, leaving in train_loader:
            loss = nn.functional.binary_cross_entropy_with_logits(model(categories, amounts), leaving)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            hits = sum(((model(c, a) > 0) == (y > 0)).sum().item() for c, a, y in eval_loader)
        print(f"epoch {epoch}: accuracy {hits / len(eval_set):.3f}")


if __name__ == "__main__":
    fit()
