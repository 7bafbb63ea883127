"""Message passing network for a reactivity score of small molecules."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from graphs import N_TYPES, collate, make_set


class MessageLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.message = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU())
        self.update = nn.Linear(2 * dim, dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, h, edges):
        src, dst = edges
        m = self.message(torch.cat([h[src], h[dst]], dim=1))
        agg = torch.zeros_like(h).index_add_(0, dst, m)
        return self.norm(h + torch.relu(self.update(torch.cat([h, agg], dim=1))))


class MoleculeNet(nn.Module):
    def __init__(self, dim=32, layers=2):
        super().__init__()
        self.embed = nn.Embedding(N_TYPES, dim)
        self.layers = nn.ModuleList(MessageLayer(dim) for _ in range(layers))
        self.atom_out = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, types, edges, owner, n_graphs):
        h = self.embed(types)
        for layer in self.layers:
            h = layer(h, edges)
        # sum of the atom contributions of each molecule
        out = torch.zeros(n_graphs)
        return out.index_add(0, owner, self.atom_out(h).squeeze(1))


def evaluate(model, loader):
    model.eval()
    err, n = 0.0, 0
    with torch.no_grad():
        for types, edges, owner, y in loader:
            err += (model(types, edges, owner, len(y)) - y).abs().sum().item()
            n += len(y)
    return err / n


def main():
    torch.manual_seed(2)
    train_set, val_set, test_set = make_set(1500, 1), make_set(300, 2), make_set(300, 3)
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(val_set, batch_size=32, collate_fn=collate)
    test_loader = DataLoader(test_set, batch_size=32, collate_fn=collate)

    model = MoleculeNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    mean = sum(g["y"] for g in train_set) / len(train_set)
    base = sum(abs(g["y"] - mean) for g in val_set) / len(val_set)
    print(f"MAE of the mean {base:.3f}")

    for epoch in range(1, 16):
        model.train()
        total = 0.0
        for types, edges, owner, y in train_loader:
            loss = nn.functional.mse_loss(model(types, edges, owner, len(y)), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
        if epoch % 3 == 0:
            print(f"epoch {epoch:2d}  mse {total / len(train_set):.4f}  "
                  f"val MAE {evaluate(model, val_loader):.3f}")
    print(f"test MAE {evaluate(model, test_loader):.3f}")


if __name__ == "__main__":
    main()
