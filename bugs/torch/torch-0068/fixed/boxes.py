"""Boxes in two formats: (left, top, right, bottom) and (centre x, centre y, width, height)."""

import torch


def to_corners(boxes):
    x, y, width, height = boxes.unbind(-1)
    return torch.stack([x - width / 2, y - height / 2, x + width / 2, y + height / 2], dim=-1)


def to_centre(boxes):
    left, top, right, bottom = boxes.unbind(-1)
    return torch.stack([(left + right) / 2, (top + bottom) / 2, right - left, bottom - top], dim=-1)


def generalized_iou(first, second):
    """Generalized overlap of pairs of boxes given by their corners."""
    area_first = (first[:, 2] - first[:, 0]) * (first[:, 3] - first[:, 1])
    area_second = (second[:, 2] - second[:, 0]) * (second[:, 3] - second[:, 1])
    low = torch.maximum(first[:, :2], second[:, :2])
    high = torch.minimum(first[:, 2:], second[:, 2:])
    overlap = (high - low).clamp(min=0).prod(dim=1)
    union = area_first + area_second - overlap
    hull = (torch.maximum(first[:, 2:], second[:, 2:]) - torch.minimum(first[:, :2], second[:, :2])).prod(dim=1)
    return overlap / (union + 1e-6) - (hull - union) / (hull + 1e-6)
