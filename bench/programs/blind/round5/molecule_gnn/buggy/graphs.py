"""Random molecule-like graphs and their mini-batches."""
import numpy as np
import torch

N_TYPES = 4


def make_graph(rng):
    """Random tree with a few extra bonds; bonds are stored once, as (i, j) with i < j."""
    n = int(rng.integers(8, 16))
    bonds = {(int(rng.integers(0, i)), i) for i in range(1, n)}
    for _ in range(int(rng.integers(0, 5))):
        i, j = sorted(rng.choice(n, size=2, replace=False).tolist())
        bonds.add((i, j))
    types = rng.integers(0, N_TYPES, size=n)
    # property: reactive sites, i.e. carbonyl-like atoms next to a donor, minus crowded ones
    around = [[] for _ in range(n)]
    for i, j in bonds:
        around[i].append(types[j])
        around[j].append(types[i])
    value = sum(1.0 for k in range(n) if types[k] == 0 and 1 in around[k])
    value -= sum(1.0 for k in range(n) if types[k] == 2 and len(around[k]) >= 3)
    return {"types": torch.as_tensor(types),
            "bonds": torch.tensor(sorted(bonds)).t().contiguous(),
            "y": value}


def make_set(n, seed):
    rng = np.random.default_rng(seed)
    return [make_graph(rng) for _ in range(n)]


def collate(graphs):
    """Several graphs as one big disconnected graph with messages in both directions."""
    types, edges, owner, offset = [], [], [], 0
    for g, graph in enumerate(graphs):
        n = len(graph["types"])
        bonds = graph["bonds"]
        types.append(graph["types"])
        edges.append(bonds + offset)
        edges.append(bonds.flip(0))
        owner.append(torch.full((n,), g))
        offset += n
    y = torch.tensor([graph["y"] for graph in graphs], dtype=torch.float32)
    return torch.cat(types), torch.cat(edges, dim=1), torch.cat(owner), y
