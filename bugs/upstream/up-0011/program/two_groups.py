"""Two layers of a network, trained with different momentum."""

import torch
from torch import nn
from torch_optimizer.radam import RAdam

MOMENTA = [(0.9, 0.999), (0.5, 0.9)]


def make_network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


def train(network, optimizers, steps=30):
    points = torch.randn(32, 4, generator=torch.Generator().manual_seed(2))
    targets = points.sum(dim=1, keepdim=True)
    for _ in range(steps):
        loss = nn.functional.mse_loss(network(points), targets)
        network.zero_grad()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
    return torch.cat([weight.detach().flatten() for weight in network.parameters()])


def with_groups():
    """One optimizer with a group for each layer."""
    network = make_network()
    groups = [
        {"params": list(layer.parameters()), "betas": betas} for layer, betas in zip((network[0], network[2]), MOMENTA)
    ]
    return train(network, [RAdam(groups, lr=1e-2)])


def main():
    print(with_groups())


if __name__ == "__main__":
    main()
