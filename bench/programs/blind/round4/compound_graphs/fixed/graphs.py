"""Random compounds: coloured nodes and bonds. Active compounds join atoms of one kind."""
from dataclasses import dataclass

import numpy as np
import torch

N_KINDS = 3


@dataclass
class Graph:
    kinds: torch.Tensor        # (nodes,)
    edges: torch.Tensor        # (2, edges), both directions
    label: int


def make_graph(rng):
    n = int(rng.integers(8, 16))
    kinds = rng.integers(0, N_KINDS, size=n)
    active = int(rng.random() < 0.5)
    same_rate = 0.62 if active else 0.18
    pairs = set()
    while len(pairs) < int(1.6 * n):
        i, j = rng.integers(0, n, size=2)
        if i == j:
            continue
        same = kinds[i] == kinds[j]
        chance = same_rate if same else (1 - same_rate) / 2
        if rng.random() < chance:
            pairs.add((min(i, j), max(i, j)))
    src = [a for a, _ in pairs] + [b for _, b in pairs]
    dst = [b for _, b in pairs] + [a for a, _ in pairs]
    return Graph(torch.tensor(kinds), torch.tensor(np.array([src, dst])), active)


def collate(graphs):
    """Join several graphs into one big graph without links between them."""
    kinds, edges, owner = [], [], []
    offset = 0
    for i, g in enumerate(graphs):
        kinds.append(g.kinds)
        edges.append(g.edges + offset)
        owner.append(torch.full((len(g.kinds),), i))
        offset += len(g.kinds)
    labels = torch.tensor([g.label for g in graphs], dtype=torch.float32)
    return torch.cat(kinds), torch.cat(edges, dim=1), torch.cat(owner), labels
