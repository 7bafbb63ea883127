"""Contrastive pretraining on unlabelled wafer maps, checked with nearest neighbours."""
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

SIZE = 16
PATTERNS = ["center", "ring", "edge", "scratch", "half"]


def wafer(kind, rng):
    yy, xx = np.mgrid[:SIZE, :SIZE] / (SIZE - 1) * 2 - 1
    r = np.hypot(xx, yy)
    theta = rng.uniform(0, 2 * np.pi)
    side = xx * np.cos(theta) + yy * np.sin(theta)
    if kind == "center":
        p = r < rng.uniform(0.3, 0.45)
    elif kind == "ring":
        p = np.abs(r - rng.uniform(0.5, 0.65)) < 0.13
    elif kind == "edge":
        p = (r > 0.75) & (side > rng.uniform(-0.2, 0.2))
    elif kind == "scratch":
        p = np.abs(side - rng.uniform(-0.3, 0.3)) < 0.12
    else:
        p = side > rng.uniform(-0.1, 0.2)
    fails = rng.random((SIZE, SIZE)) < np.where(p, 0.6, 0.1)
    return fails * (r <= 1.0)


def make_set(n, rng):
    labels = rng.integers(0, len(PATTERNS), size=n)
    maps = np.stack([wafer(PATTERNS[k], rng) for k in labels])
    return torch.tensor(maps, dtype=torch.float32).unsqueeze(1), torch.from_numpy(labels)


def augment(x):
    """Random turn, mirror and loss of dies, drawn for every wafer."""
    turns = torch.randint(0, 4, (len(x),))
    flips = torch.rand(len(x)) < 0.5
    out = torch.empty_like(x)
    for k in range(4):
        for f in (False, True):
            pick = (turns == k) & (flips == f)
            y = torch.rot90(x[pick], k, dims=(2, 3))
            out[pick] = y.flip(3) if f else y
    keep = (torch.rand_like(out) < 0.7).float()
    return out * keep


class Encoder(nn.Module):
    def __init__(self, width=16, dim=64, proj=32):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.BatchNorm2d(2 * width), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(2 * width * 16, dim),
        )
        self.projector = nn.Sequential(nn.ReLU(), nn.Linear(dim, proj))

    def forward(self, x):
        return self.projector(self.features(x))


def nt_xent(z1, z2, temperature=0.2):
    n = len(z1)
    z = F.normalize(torch.cat([z1, z2], dim=0), dim=1)
    sim = z @ z.t() / temperature
    sim = sim.masked_fill(torch.eye(2 * n, dtype=torch.bool), float("-inf"))
    partner = (torch.arange(2 * n) + n) % (2 * n)
    return F.cross_entropy(sim, partner)


@torch.no_grad()
def knn_accuracy(encoder, x_ref, y_ref, x, y, k=9):
    encoder.eval()
    ref = F.normalize(encoder.features(x_ref), dim=1)
    query = F.normalize(encoder.features(x), dim=1)
    nearest = (query @ ref.t()).topk(k, dim=1).indices
    votes = F.one_hot(y_ref[nearest], len(PATTERNS)).sum(dim=1)
    return (votes.argmax(dim=1) == y).float().mean().item()


def main():
    torch.manual_seed(8)
    rng = np.random.default_rng(8)
    pool, _ = make_set(2048, rng)
    x_ref, y_ref = make_set(200, rng)
    x_val, y_val = make_set(500, rng)

    encoder = Encoder()
    optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3, weight_decay=1e-5)
    print(f"before training: knn acc {knn_accuracy(encoder, x_ref, y_ref, x_val, y_val):.3f}")
    for epoch in range(12):
        encoder.train()
        total, steps = 0.0, 0
        for idx in torch.randperm(len(pool)).split(128):
            x = pool[idx]
            loss = nt_xent(encoder(augment(x)), encoder(augment(x)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            steps += 1
        if epoch % 3 == 2:
            acc = knn_accuracy(encoder, x_ref, y_ref, x_val, y_val)
            print(f"epoch {epoch + 1}: loss {total / steps:.3f}  knn acc {acc:.3f}")


if __name__ == "__main__":
    main()
