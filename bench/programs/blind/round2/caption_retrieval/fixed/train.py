"""Two-tower image/caption matching with a symmetric contrastive loss (toy data)."""
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

LATENT, IMG_DIM, WORDS, CAPTION_LEN = 12, 96, 120, 10


class World:
    """Images and captions are two noisy views of the same latent scene."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.to_img = self.rng.standard_normal((LATENT, IMG_DIM)) / np.sqrt(LATENT)
        self.to_word = 1.6 * self.rng.standard_normal((LATENT, WORDS)) / np.sqrt(LATENT)

    def sample(self, n):
        scene = self.rng.standard_normal((n, LATENT))
        img = np.tanh(scene @ self.to_img) + 0.3 * self.rng.standard_normal((n, IMG_DIM))
        gumbel = self.rng.gumbel(size=(n, WORDS))
        words = np.argsort(-(2.5 * scene @ self.to_word + gumbel), axis=1)[:, :CAPTION_LEN]
        return (torch.tensor(img, dtype=torch.float32), torch.tensor(words.copy()))


class ImageTower(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(IMG_DIM, 128), nn.ReLU(), nn.Linear(128, dim))

    def forward(self, img):
        return F.normalize(self.net(img), dim=-1)


class TextTower(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.words = nn.Embedding(WORDS, 64)
        self.net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, dim))

    def forward(self, ids):
        return F.normalize(self.net(self.words(ids).mean(dim=1)), dim=-1)


def contrastive_loss(img, txt, temperature):
    logits = img @ txt.t() / temperature
    target = torch.arange(len(img))
    return 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target))


@torch.no_grad()
def recall(towers, img, ids, k):
    for tower in towers:
        tower.eval()
    sims = towers[0](img) @ towers[1](ids).t()
    rank = (sims > sims.diag().unsqueeze(1)).sum(dim=1)
    return (rank < k).float().mean().item()


def main(epochs=20, batch=128, temperature=0.07):
    torch.manual_seed(7)
    world = World(seed=7)
    img, ids = world.sample(4000)
    val_img, val_ids = world.sample(500)
    towers = nn.ModuleList([ImageTower(32), TextTower(32)])
    optimizer = torch.optim.Adam(towers.parameters(), lr=1e-3)

    for epoch in range(1, epochs + 1):
        towers.train()
        losses = []
        order = torch.randperm(len(img))
        for start in range(0, len(order) - batch + 1, batch):
            idx = order[start:start + batch]
            loss = contrastive_loss(towers[0](img[idx]), towers[1](ids[idx]), temperature)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        if epoch % 2 == 0:
            print(f"epoch {epoch:2d}  loss {np.mean(losses):.3f}  "
                  f"val R@1 {recall(towers, val_img, val_ids, 1):.3f}  "
                  f"R@10 {recall(towers, val_img, val_ids, 10):.3f}")


if __name__ == "__main__":
    main()
