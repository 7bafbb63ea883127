import numpy as np
import torch
from torch import nn

N_READERS, N_BOOKS, DIM = 300, 200, 8
EPOCHS = 25
BATCH = 256


def make_ratings(n, seed):
    rng = np.random.default_rng(seed)
    taste = rng.standard_normal((N_READERS, 4)) * 0.5
    style = rng.standard_normal((N_BOOKS, 4)) * 0.5
    kindness = rng.standard_normal(N_READERS) * 0.5
    quality = rng.standard_normal(N_BOOKS) * 0.7
    pairs = rng.choice(N_READERS * N_BOOKS, size=n, replace=False)
    reader, book = pairs // N_BOOKS, pairs % N_BOOKS
    stars = 3.2 + kindness[reader] + quality[book] + (taste[reader] * style[book]).sum(1)
    stars = stars + 0.3 * rng.standard_normal(n)
    return reader, book, np.clip(stars, 1, 5).astype(np.float32)


class RatingModel(nn.Module):
    def __init__(self, n_readers, n_books, dim, mean):
        super().__init__()
        self.reader = nn.Embedding(n_readers, dim)
        self.book = nn.Embedding(n_books, dim)
        self.reader_bias = nn.Embedding(n_readers, 1)
        self.book_bias = nn.Embedding(n_books, 1)
        self.mean = mean
        for table in (self.reader, self.book):
            nn.init.normal_(table.weight, std=0.1)
        for table in (self.reader_bias, self.book_bias):
            nn.init.zeros_(table.weight)

    def forward(self, reader, book):
        match = (self.reader(reader) * self.book(book)).sum(dim=1, keepdim=True)
        bias = self.reader_bias(reader) + self.book_bias(book)
        return (self.mean + match + bias).squeeze(1)


def rmse(model, reader, book, stars):
    model.eval()
    errors = []
    with torch.no_grad():
        for i in range(0, len(stars), 1000):
            s = slice(i, i + 1000)
            errors.append(((model(reader[s], book[s]) - stars[s]) ** 2).mean().item())
    return float(np.sqrt(np.mean(errors)))


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    reader, book, stars = make_ratings(18000, seed=4)
    reader, book, stars = torch.tensor(reader), torch.tensor(book), torch.tensor(stars)
    order = torch.randperm(len(stars))
    train, test = order[:15000], order[15000:]
    mean = stars[train].mean().item()
    print(f"always predicting the mean: rmse {(stars[test] - mean).pow(2).mean().sqrt():.3f}")

    model = RatingModel(N_READERS, N_BOOKS, DIM, mean)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.2)
    for epoch in range(EPOCHS):
        model.train()
        perm = train[torch.randperm(len(train))]
        total, steps = 0.0, 0
        for i in range(0, len(perm), BATCH):
            idx = perm[i:i + BATCH]
            pred = model(reader[idx], book[idx])
            loss = ((pred - stars[idx]) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            steps += 1
        if (epoch + 1) % 5 == 0:
            score = rmse(model, reader[test], book[test], stars[test])
            print(f"epoch {epoch + 1:2d}  train mse {total / steps:.4f}  test rmse {score:.4f}")


if __name__ == "__main__":
    main()
