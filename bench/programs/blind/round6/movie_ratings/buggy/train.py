"""Matrix factorisation with biases for movie ratings, with early stopping."""
import copy

import numpy as np
import torch
from torch import nn

USERS, MOVIES, RANK = 300, 200, 4


def simulate(rng, n=24000):
    u = rng.normal(0, 0.6, (USERS, RANK))
    m = rng.normal(0, 0.6, (MOVIES, RANK))
    bu, bm = rng.normal(0, 0.4, USERS), rng.normal(0, 0.5, MOVIES)
    pairs = rng.choice(USERS * MOVIES, size=n, replace=False)
    user, movie = pairs // MOVIES, pairs % MOVIES
    score = 3.4 + bu[user] + bm[movie] + (u[user] * m[movie]).sum(1) + rng.normal(0, 0.3, n)
    return (torch.from_numpy(user), torch.from_numpy(movie),
            torch.from_numpy(np.clip(score, 1, 5).astype(np.float32)))


class Factors(nn.Module):
    def __init__(self, dim=8, mean=3.0):
        super().__init__()
        self.user = nn.Embedding(USERS, dim)
        self.movie = nn.Embedding(MOVIES, dim)
        self.user_bias = nn.Embedding(USERS, 1)
        self.movie_bias = nn.Embedding(MOVIES, 1)
        for e in (self.user, self.movie):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.user_bias, self.movie_bias):
            nn.init.zeros_(e.weight)
        self.mean = mean

    def forward(self, user, movie):
        dot = (self.user(user) * self.movie(movie)).sum(1)
        return self.mean + dot + self.user_bias(user).squeeze(1) + self.movie_bias(movie).squeeze(1)


def rmse(model, data):
    model.eval()
    with torch.no_grad():
        return (model(data[0], data[1]) - data[2]).pow(2).mean().sqrt().item()


def part(data, lo, hi):
    return tuple(t[lo:hi] for t in data)


def main():
    torch.manual_seed(8)
    data = simulate(np.random.default_rng(8))
    train, val, test = part(data, 0, 18000), part(data, 18000, 21000), part(data, 21000, 24000)
    model = Factors(mean=train[2].mean().item())
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-5)

    best_rmse = 0.0
    best_state = copy.deepcopy(model.state_dict())
    for epoch in range(25):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(train[0])).split(256):
            user, movie, rating = train[0][idx], train[1][idx], train[2][idx]
            loss = (model(user, movie) - rating).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        val_rmse = rmse(model, val)
        if val_rmse < best_rmse:
            best_rmse = val_rmse
            best_state = copy.deepcopy(model.state_dict())
        print(f"epoch {epoch + 1:2d}  train mse {total / len(train[0]):.4f}  val rmse {val_rmse:.4f}")

    model.load_state_dict(best_state)
    print(f"test rmse of the selected model {rmse(model, test):.4f} "
          f"(always the mean: {(test[2] - model.mean).pow(2).mean().sqrt():.4f})")


if __name__ == "__main__":
    main()
