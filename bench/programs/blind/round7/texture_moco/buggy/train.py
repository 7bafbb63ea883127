import torch
import torch.nn.functional as F

from data import augment, centre_crop, textures
from moco import MoCo

EPOCHS = 20
BATCH = 64


def nearest_neighbour_accuracy(model, bank, bank_y, query, query_y, k=7):
    """k-NN on backbone features, the usual check for representations."""
    model.eval()
    with torch.no_grad():
        fb = F.normalize(model.query.backbone(centre_crop(bank)), dim=1)
        fq = F.normalize(model.query.backbone(centre_crop(query)), dim=1)
    votes = bank_y[(fq @ fb.T).topk(k, dim=1).indices]
    return (votes.mode(dim=1).values == query_y).float().mean().item()


def train():
    torch.manual_seed(8)
    x, y = textures(2000, seed=0)
    xv, yv = textures(500, seed=1)
    model = MoCo()
    optimizer = torch.optim.Adam(model.query.parameters(), lr=1e-3)
    print(f"start: knn accuracy {nearest_neighbour_accuracy(model, x, y, xv, yv):.3f}")

    for epoch in range(1, EPOCHS + 1):
        model.train()
        total, hits, n = 0.0, 0, 0
        for idx in torch.randperm(len(x)).split(BATCH):
            images = x[idx]
            logits, target = model(augment(images), augment(images))
            loss = F.cross_entropy(logits, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            model.update_key()
            total += loss.item() * len(idx)
            hits += (logits.argmax(1) == 0).sum().item()
            n += len(idx)
        if epoch % 5 == 0:
            acc = nearest_neighbour_accuracy(model, x, y, xv, yv)
            print(f"epoch {epoch}: loss {total / n:.3f}, contrast acc {hits / n:.3f}, knn accuracy {acc:.3f}")


if __name__ == "__main__":
    train()
