"""Locates the one bright object in an image."""

import torch
from torch import nn

from boxes import generalized_iou, to_corners
from losses import box_loss


def draw(count, generator, size=24):
    images = 0.2 * torch.rand(count, 1, size, size, generator=generator)
    boxes = torch.zeros(count, 4)
    for image, box in zip(images, boxes):
        width, height = torch.randint(4, 13, (2,), generator=generator).tolist()
        left = int(torch.randint(size - width, (1,), generator=generator))
        top = int(torch.randint(size - height, (1,), generator=generator))
        image[0, top : top + height, left : left + width] += 1.0
        box[:] = torch.tensor([left + width / 2, top + height / 2, width, height]) / size
    return images, boxes


class Locator(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(16, 16, 3, stride=2, padding=1), nn.ReLU(),
            nn.Flatten(), nn.Linear(16 * 36, 64), nn.ReLU(), nn.Linear(64, 4),
        )

    def forward(self, images):
        return torch.sigmoid(self.features(images))


def train(model, images, boxes, epochs=12, batch_size=32):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(epochs):
        for rows in torch.randperm(len(images)).split(batch_size):
            losses = box_loss(model(images[rows]), boxes[rows])
            loss = losses["giou"] + losses["l1"]
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1}: giou {losses['giou'].item():.3f}  l1 {losses['l1'].item():.3f}")


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = Locator()
    train(model, *draw(320, generator))
    images, boxes = draw(100, generator)
    with torch.no_grad():
        overlap = generalized_iou(to_corners(model(images)), to_corners(boxes)).mean().item()
    print(f"mean overlap with the true box: {overlap:.3f}")
    return overlap


if __name__ == "__main__":
    main()
