"""Graph regression: predict a made-up solubility from small random molecules."""
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(11)
rng = np.random.default_rng(11)
N_ATOM_TYPES = 5
CHARGE = np.array([0.9, -0.6, 0.3, -1.1, 0.5])


def random_molecule():
    n = int(rng.integers(5, 12))
    kinds = rng.integers(0, N_ATOM_TYPES, size=n)
    adj = np.zeros((n, n), dtype=np.float32)
    for i in range(1, n):
        j = int(rng.integers(0, i))
        adj[i, j] = adj[j, i] = 1
    # polar if bonded atoms carry different charges
    q = CHARGE[kinds]
    value = sum(abs(q[i] - q[j]) for i in range(n) for j in range(i) if adj[i, j]) / n
    return kinds, adj, value


def collate(mols):
    """Batch graphs into one block diagonal graph."""
    sizes = [len(k) for k, _, _ in mols]
    total = sum(sizes)
    adj = torch.zeros(total, total)
    owner = torch.zeros(total, dtype=torch.long)
    start = 0
    for g, (k, a, _) in enumerate(mols):
        end = start + len(k)
        adj[start:end, start:end] = torch.from_numpy(a)
        owner[start:end] = g
        start = end
    kinds = torch.from_numpy(np.concatenate([k for k, _, _ in mols]))
    y = torch.tensor([v for _, _, v in mols], dtype=torch.float32)
    return kinds, adj, owner, y


class MessageLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.message = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU())
        self.update = nn.Linear(2 * dim, dim)

    def forward(self, h, adj):
        src, dst = adj.nonzero(as_tuple=True)
        m = self.message(torch.cat([h[src], h[dst]], dim=1))
        agg = torch.zeros_like(h).index_add(0, dst, m)
        out = torch.tanh(self.update(torch.cat([h, agg], dim=1)))
        out += h
        return out


class MolNet(nn.Module):
    def __init__(self, dim=32, depth=2):
        super().__init__()
        self.embed = nn.Embedding(N_ATOM_TYPES, dim)
        self.layers = nn.ModuleList([MessageLayer(dim) for _ in range(depth)])
        self.readout = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, kinds, adj, owner, n_graphs):
        h = self.embed(kinds)
        for layer in self.layers:
            h = layer(h, adj)
        count = torch.bincount(owner, minlength=n_graphs).unsqueeze(1)
        pooled = torch.zeros(n_graphs, h.size(1)).index_add(0, owner, h) / count
        return self.readout(pooled).squeeze(1)


mols = [random_molecule() for _ in range(1000)]
train_mols, val_mols = mols[:800], mols[800:]
model = MolNet()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
mse = nn.MSELoss()

for epoch in range(12):
    model.train()
    order = rng.permutation(len(train_mols))
    total = 0.0
    for s in range(0, len(order), 32):
        batch = [train_mols[i] for i in order[s:s + 32]]
        kinds, adj, owner, y = collate(batch)
        loss = mse(model(kinds, adj, owner, len(batch)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(batch)
    model.eval()
    with torch.no_grad():
        kinds, adj, owner, y = collate(val_mols)
        val = mse(model(kinds, adj, owner, len(val_mols)), y).item()
    print(f"epoch {epoch:2d} train mse {total / len(train_mols):.4f} val mse {val:.4f} (variance {y.var():.4f})")
