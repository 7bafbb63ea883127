import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import RoadTiles
from model import SmallUNet


def dice_loss(logits, mask):
    prob = torch.sigmoid(logits)
    inter = (prob * mask).sum(dim=(1, 2))
    total = prob.sum(dim=(1, 2)) + mask.sum(dim=(1, 2))
    return (1 - (2 * inter + 1) / (total + 1)).mean()


def evaluate(model, loader):
    model.eval()
    inter = union = 0.0
    with torch.no_grad():
        for image, mask in loader:
            pred = model(image) > 0
            inter += (pred & (mask > 0.5)).sum().item()
            union += (pred | (mask > 0.5)).sum().item()
    return inter / union


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    train_loader = DataLoader(RoadTiles(400, seed=1, augment=True), batch_size=20, shuffle=True)
    val_loader = DataLoader(RoadTiles(100, seed=2), batch_size=50)

    model = SmallUNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for image, mask in train_loader:
            logits = model(image)
            loss = F.binary_cross_entropy_with_logits(logits, mask) + dice_loss(logits, mask)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / len(train_loader):.4f}  val IoU {evaluate(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
