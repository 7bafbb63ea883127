import numpy as np
import torch

N_TYPES = 4
ATOM_ENERGY = np.array([-0.5, 1.2, 0.3, -1.1], dtype=np.float32)
BOND_ENERGY = np.array(
    [[0.2, -0.6, 0.9, 0.1],
     [-0.6, 0.5, -0.2, 0.8],
     [0.9, -0.2, -0.7, 0.4],
     [0.1, 0.8, 0.4, -0.3]], dtype=np.float32)


def random_molecule(rng):
    n = int(rng.integers(5, 13))
    types = rng.integers(0, N_TYPES, size=n)
    bonds = [(i, int(rng.integers(0, i))) for i in range(1, n)]
    for _ in range(int(rng.integers(0, 3))):
        a, b = rng.choice(n, size=2, replace=False)
        if (a, b) not in bonds and (b, a) not in bonds:
            bonds.append((int(a), int(b)))
    energy = ATOM_ENERGY[types].sum() + sum(BOND_ENERGY[types[a], types[b]] for a, b in bonds)
    edges = np.array(bonds + [(b, a) for a, b in bonds]).T
    return {"types": torch.from_numpy(types), "edges": torch.from_numpy(edges), "energy": float(energy)}


def make_molecules(n, seed):
    rng = np.random.default_rng(seed)
    return [random_molecule(rng) for _ in range(n)]


def collate(molecules):
    """Put a list of molecules together into one big disconnected graph."""
    types, edges, batch, energy = [], [], [], []
    offset = 0
    for i, mol in enumerate(molecules):
        types.append(mol["types"])
        edges.append(mol["edges"] + offset)
        batch.append(torch.full((len(mol["types"]),), i, dtype=torch.long))
        energy.append(mol["energy"])
        offset += mol["types"].shape[-1]
    return torch.cat(types), torch.cat(edges, dim=1), torch.cat(batch), torch.tensor(energy)
