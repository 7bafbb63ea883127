import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from net import TinyUNet
from scenes import CLASSES, make_split


def confusion(pred, target, k):
    return torch.bincount(target.flatten() * k + pred.flatten(), minlength=k * k).view(k, k)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    table = torch.zeros(len(CLASSES), len(CLASSES), dtype=torch.long)
    for images, masks in loader:
        table += confusion(model(images).argmax(1), masks, len(CLASSES))
    table = table.double()
    inter = table.diag()
    union = table.sum(0) + table.sum(1) - inter
    return (inter / union.clamp(min=1)).numpy(), (inter.sum() / table.sum()).item()


def main():
    torch.manual_seed(0)
    train = TensorDataset(*map(torch.from_numpy, make_split(560, seed=10)))
    val = TensorDataset(*map(torch.from_numpy, make_split(120, seed=20)))
    train_loader = DataLoader(train, batch_size=16, shuffle=True)
    val_loader = DataLoader(val, batch_size=40)

    model = TinyUNet(len(CLASSES))
    criterion = nn.CrossEntropyLoss(ignore_index=0)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

    for epoch in range(1, 8):
        model.train()
        losses = []
        for images, masks in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(images), masks)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        iou, pixel_acc = evaluate(model, val_loader)
        print(f"epoch {epoch}  loss {np.mean(losses):.4f}  pixel acc {pixel_acc:.3f}  "
              f"mIoU {iou.mean():.3f}")
    for name, value in zip(CLASSES, iou):
        print(f"  {name:<11} IoU {value:.3f}")


if __name__ == "__main__":
    main()
