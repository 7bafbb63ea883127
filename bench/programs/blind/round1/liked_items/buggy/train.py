"""Matrix factorization on binary likes."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

USERS, ITEMS, TASTES = 300, 200, 4


def make_ratings(seed):
    rng = np.random.default_rng(seed)
    user_taste = rng.normal(size=(USERS, TASTES))
    item_taste = rng.normal(size=(ITEMS, TASTES))
    score = 1.5 * user_taste @ item_taste.T + rng.normal(0, 0.3, ITEMS) - 0.8
    likes = rng.random((USERS, ITEMS)) < 1 / (1 + np.exp(-score))
    users, items = np.nonzero(rng.random((USERS, ITEMS)) < 0.5)
    order = rng.permutation(len(users))
    users, items = users[order], items[order]
    labels = likes[users, items].astype("float32")
    cut = int(0.8 * len(users))
    pack = lambda s: TensorDataset(torch.from_numpy(users[s]), torch.from_numpy(items[s]), torch.from_numpy(labels[s]))
    return pack(slice(None, cut)), pack(slice(cut, None))


class Factorizer(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.user = nn.Embedding(USERS, dim)
        self.item = nn.Embedding(ITEMS, dim)
        self.user_bias = nn.Embedding(USERS, 1)
        self.item_bias = nn.Embedding(ITEMS, 1)
        for table in (self.user, self.item):
            nn.init.normal_(table.weight, std=0.1)
        for table in (self.user_bias, self.item_bias):
            nn.init.zeros_(table.weight)

    def forward(self, users, items):
        match = (self.user(users) * self.item(items)).sum(-1)
        score = match + self.user_bias(users).squeeze(-1) + self.item_bias(items).squeeze(-1)
        return torch.sigmoid(score)


@torch.no_grad()
def evaluate(model, dataset):
    users, items, labels = dataset.tensors
    prob = torch.sigmoid(model(users, items))
    accuracy = ((prob > 0.5).float() == labels).float().mean().item()
    brier = ((prob - labels) ** 2).mean().item()
    return accuracy, brier


def main():
    torch.manual_seed(0)
    train_set, val_set = make_ratings(0)
    loader = DataLoader(train_set, batch_size=256, shuffle=True)
    model = Factorizer()
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.1)
    print(f"share of likes: {val_set.tensors[2].mean():.3f}")
    for epoch in range(12):
        total = 0.0
        for users, items, labels in loader:
            loss = criterion(model(users, items), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(labels)
        accuracy, brier = evaluate(model, val_set)
        print(f"epoch {epoch + 1:2d} loss {total / len(train_set):.4f} val acc {accuracy:.3f} brier {brier:.4f}")


if __name__ == "__main__":
    main()
