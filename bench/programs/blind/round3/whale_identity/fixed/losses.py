import torch
import torch.nn.functional as F


def pairwise_distance(z):
    sq = (z.unsqueeze(1) - z.unsqueeze(0)).pow(2).sum(-1)
    return (sq + 1e-8).sqrt()


def batch_hard_triplet(z, ids, margin):
    """Farthest sample of the same animal against the nearest one of another."""
    dist = pairwise_distance(z)
    same = ids.unsqueeze(0) == ids.unsqueeze(1)
    farthest_same = (dist * same).max(dim=1).values
    nearest_other = dist.masked_fill(same, float("inf")).min(dim=1).values
    return F.relu(farthest_same - nearest_other + margin).mean()
