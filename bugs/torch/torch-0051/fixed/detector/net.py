"""A single-shot detector with one box per cell of a 4 x 4 grid."""

import torch
import torch.nn.functional as F
from torch import nn


class GridDetector(nn.Module):
    def __init__(self, kinds=3, grid=4):
        super().__init__()
        self.grid = grid
        self.backbone = nn.Sequential(
            nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(32, 32, 3, stride=2, padding=1), nn.ReLU(),
        )
        self.head = nn.Conv2d(32, 1 + 4 + kinds, 1)

    def forward(self, images):
        return self.head(self.backbone(images)).permute(0, 2, 3, 1)


def grid_loss(predicted, targets, grid=4):
    """Objectness everywhere; corners and kind where the centre of a product is."""
    wanted = torch.zeros(predicted.shape[:3])
    box_loss = kind_loss = predicted.sum() * 0
    for number, target in enumerate(targets):
        centres = (target[:, :2] + target[:, 2:4]) / 2
        cells = (centres * grid).long().clamp(max=grid - 1)
        wanted[number, cells[:, 1], cells[:, 0]] = 1.0
        there = predicted[number, cells[:, 1], cells[:, 0]]
        box_loss = box_loss + F.smooth_l1_loss(there[:, 1:5], target[:, :4])
        kind_loss = kind_loss + F.cross_entropy(there[:, 5:], target[:, 4].long())
    return F.binary_cross_entropy_with_logits(predicted[..., 0], wanted) + (box_loss + kind_loss) / len(targets)
