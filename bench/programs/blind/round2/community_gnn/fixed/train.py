"""Semi-supervised node classification on a stochastic block model."""
import numpy as np
import torch
from torch import nn


class BlockGraph:
    def __init__(self, per_block=120, blocks=4, dim=16, seed=0):
        rng = np.random.default_rng(seed)
        self.labels = np.repeat(np.arange(blocks), per_block)
        n = len(self.labels)
        same = self.labels[:, None] == self.labels[None, :]
        prob = np.where(same, 0.08, 0.012)
        upper = np.triu(rng.random((n, n)) < prob, k=1)
        adj = (upper | upper.T).astype(np.float32) + np.eye(n, dtype=np.float32)
        scale = 1.0 / np.sqrt(adj.sum(1))
        self.adj = adj * scale[:, None] * scale[None, :]
        centers = rng.standard_normal((blocks, dim))
        self.features = (0.5 * centers[self.labels]
                         + rng.standard_normal((n, dim))).astype(np.float32)
        order = rng.permutation(n)
        self.train_nodes, self.val_nodes = order[:80], order[80:280]
        self.test_nodes = order[280:]


class ResidualBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.message = nn.Linear(width, width)

    def forward(self, h, adj):
        return torch.relu(self.message(adj @ self.norm(h)))


class GraphNet(nn.Module):
    def __init__(self, dim, width, classes, depth=2, dropout=0.3):
        super().__init__()
        self.inp = nn.Linear(dim, width)
        self.blocks = nn.ModuleList(ResidualBlock(width) for _ in range(depth))
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(width, classes)

    def forward(self, x, adj):
        h = torch.relu(self.inp(x))
        for block in self.blocks:
            h = h + block(h, adj)
        return self.out(self.drop(h))


class Trainer:
    def __init__(self, graph, epochs=100):
        self.graph, self.epochs = graph, epochs
        self.x = torch.from_numpy(graph.features)
        self.adj = torch.from_numpy(graph.adj)
        self.y = torch.from_numpy(graph.labels)
        self.model = GraphNet(self.x.shape[1], 32, 4)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=5e-3, weight_decay=5e-4)
        self.criterion = nn.CrossEntropyLoss()

    def step(self):
        self.model.train()
        nodes = self.graph.train_nodes
        loss = self.criterion(self.model(self.x, self.adj)[nodes], self.y[nodes])
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, nodes):
        self.model.eval()
        guess = self.model(self.x, self.adj)[nodes].argmax(dim=1)
        return (guess == self.y[nodes]).float().mean().item()

    def run(self):
        for epoch in range(1, self.epochs + 1):
            loss = self.step()
            if epoch % 10 == 0:
                print(f"epoch {epoch:3d}  loss {loss:.4f}  "
                      f"val acc {self.accuracy(self.graph.val_nodes):.3f}")
        print(f"test accuracy {self.accuracy(self.graph.test_nodes):.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Trainer(BlockGraph()).run()
