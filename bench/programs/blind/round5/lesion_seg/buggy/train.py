"""Train a small U-Net style network to outline skin lesions."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import Lesions

EPOCHS = 6


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(),
                         nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU())


class TinyUNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1 = block(3, 12)
        self.down2 = block(12, 24)
        self.up = nn.ConvTranspose2d(24, 12, 2, stride=2)
        self.fuse = block(24, 12)
        self.out = nn.Conv2d(12, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        return self.out(self.fuse(torch.cat([a, self.up(b)], dim=1)))


def seg_loss(logits, mask):
    bce = F.binary_cross_entropy_with_logits(logits, mask)
    p = torch.sigmoid(logits)
    inter = (p * mask).sum(dim=(1, 2, 3))
    dice = (2 * inter + 1) / (p.sum(dim=(1, 2, 3)) + mask.sum(dim=(1, 2, 3)) + 1)
    return bce + 1 - dice.mean()


@torch.no_grad()
def mean_iou(model, loader):
    model.eval()
    total, n = 0.0, 0
    for image, mask in loader:
        pred = model(image) > 0
        true = mask > 0.5
        inter = (pred & true).sum(dim=(1, 2, 3)).float()
        union = (pred | true).sum(dim=(1, 2, 3)).float().clamp(min=1)
        total += (inter / union).sum().item()
        n += len(mask)
    return total / n


def main():
    torch.manual_seed(5)
    train_loader = DataLoader(Lesions(600, seed=10, augment=True), batch_size=16, shuffle=True)
    val_loader = DataLoader(Lesions(150, seed=20), batch_size=50)

    model = TinyUNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(EPOCHS):
        model.train()
        running = 0.0
        for image, mask in train_loader:
            loss = seg_loss(model(image), mask)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item()
        print(f"epoch {epoch + 1}: loss {running / len(train_loader):.4f}  "
              f"val IoU {mean_iou(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
