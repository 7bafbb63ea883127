import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from data import BallFrames

EPOCHS = 10
BATCH = 32
LR = 1e-3
BOX_WEIGHT = 5.0


class BallDetector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 5, stride=2, padding=2), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Conv2d(32, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Flatten(), nn.Linear(32 * 5 * 5, 128), nn.ReLU(),
        )
        self.box_head = nn.Linear(128, 4)
        self.kind_head = nn.Linear(128, 2)

    def forward(self, x):
        h = self.backbone(x)
        return torch.sigmoid(self.box_head(h)), self.kind_head(h)


def corners(box):
    centre, size = box[:, :2], box[:, 2:]
    return centre - size / 2, centre + size / 2


def iou(a, b):
    a0, a1 = corners(a)
    b0, b1 = corners(b)
    inter = (torch.minimum(a1, b1) - torch.maximum(a0, b0)).clamp(min=0).prod(1)
    union = a[:, 2:].prod(1) + b[:, 2:].prod(1) - inter
    return inter / union


def evaluate(model, loader):
    model.eval()
    ious, hits = [], []
    with torch.no_grad():
        for frame, box, kind in loader:
            pred_box, logits = model(frame)
            ious.append(iou(pred_box, box))
            hits.append(logits.argmax(1) == kind)
    return torch.cat(ious).mean().item(), torch.cat(hits).float().mean().item()


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    train_loader = DataLoader(BallFrames(2000, seed=5), batch_size=BATCH, shuffle=True)
    test_loader = DataLoader(BallFrames(400, seed=6), batch_size=100)
    model = BallDetector()
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)

    for epoch in range(EPOCHS):
        model.train()
        box_sum = kind_sum = 0.0
        for frame, box, kind in train_loader:
            pred_box, logits = model(frame)
            box_loss = F.smooth_l1_loss(pred_box, box, beta=0.1)
            kind_loss = F.cross_entropy(logits, kind)
            loss = BOX_WEIGHT * box_loss + kind_loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            box_sum += box_loss.item()
            kind_sum += kind_loss.item()
        mean_iou, acc = evaluate(model, test_loader)
        n = len(train_loader)
        print(f"epoch {epoch + 1:2d}: box {box_sum / n:.4f} kind {kind_sum / n:.4f} "
              f"| test IoU {mean_iou:.3f} kind acc {acc:.3f}")


if __name__ == "__main__":
    main()
