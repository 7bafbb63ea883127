"""Loss of a detector that predicts one box per query, as centre and size."""

import torch.nn.functional as F

from boxes import generalized_iou, to_corners


def box_loss(predicted, wanted):
    """Overlap and distance, both between boxes as (centre x, centre y, width, height)."""
    overlap = generalized_iou(to_corners(predicted), to_corners(wanted))
    return {"giou": (1 - overlap).mean(), "l1": F.l1_loss(predicted, wanted)}
