import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader

MAX_ATOMS = 14
N_TYPES = 5          # 1..5, 0 marks an empty slot


def random_molecule(rng):
    n = rng.randint(7, MAX_ATOMS + 1)
    types = np.zeros(MAX_ATOMS, dtype=np.int64)
    types[:n] = rng.randint(1, N_TYPES + 1, n)
    adj = np.zeros((MAX_ATOMS, MAX_ATOMS), dtype=np.float32)
    for i in range(1, n):
        j = rng.randint(0, i)
        adj[i, j] = adj[j, i] = 1
    near = np.stack([((types == k)[None, :] & (adj > 0)).any(1) for k in (2, 3)])
    active = ((types == 1) & near.all(0)).any()
    return types, adj, float(active)


class Molecules(Dataset):
    def __init__(self, n, seed):
        rng = np.random.RandomState(seed)
        pos, neg = [], []
        while len(pos) < n // 2 or len(neg) < n // 2:
            mol = random_molecule(rng)
            bucket = pos if mol[2] else neg
            if len(bucket) < n // 2:
                bucket.append(mol)
        self.items = pos + neg

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        types, adj, y = self.items[i]
        return torch.from_numpy(types), torch.from_numpy(adj), torch.tensor(y)


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super(GraphConv, self).__init__()
        self.own = nn.Linear(d_in, d_out)
        self.neigh = nn.Linear(d_in, d_out, bias=False)

    def forward(self, h, adj):
        return F.relu(self.own(h) + self.neigh(torch.bmm(adj, h)))


class MolNet(nn.Module):
    def __init__(self, dim=32):
        super(MolNet, self).__init__()
        self.embed = nn.Embedding(N_TYPES + 1, dim, padding_idx=0)
        self.conv1 = GraphConv(dim, dim)
        self.conv2 = GraphConv(dim, dim)
        self.score = nn.Linear(dim, 1)
        self.out = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, types, adj):
        atoms = types > 0
        h = self.conv1(self.embed(types), adj)
        h = self.conv2(h, adj)
        score = self.score(h).squeeze(-1)
        score = score.masked_fill(~atoms, -1e9)
        weight = F.softmax(score, dim=1).unsqueeze(-1)
        return self.out((weight * h).sum(1)).squeeze(-1)


def run(model, loader, optimizer=None):
    model.train(optimizer is not None)
    total, hits, n = 0.0, 0, 0
    for types, adj, y in loader:
        with torch.set_grad_enabled(optimizer is not None):
            logit = model(types, adj)
            loss = F.binary_cross_entropy_with_logits(logit, y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item() * len(y)
        hits += ((logit > 0).float() == y).sum().item()
        n += len(y)
    return total / n, hits / n


if __name__ == '__main__':
    torch.manual_seed(0)
    train = DataLoader(Molecules(2400, seed=1), batch_size=32, shuffle=True)
    valid = DataLoader(Molecules(400, seed=2), batch_size=100)
    net = MolNet()
    adam = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(12):
        tl, ta = run(net, train, adam)
        vl, va = run(net, valid)
        print('epoch %2d  loss %.4f  acc %.3f  |  val loss %.4f  acc %.3f' % (epoch + 1, tl, ta, vl, va))
