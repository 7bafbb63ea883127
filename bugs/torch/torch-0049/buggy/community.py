"""Finds the community of each user with a graph network that averages over friends."""

import torch
import torch.nn.functional as F
from torch import nn

COMMUNITIES = 3


def make_network(users, seed, features=8):
    """Users, what they like, and who is a friend of whom; friends are mostly in the same community."""
    generator = torch.Generator().manual_seed(seed)
    community = torch.arange(users) % COMMUNITIES
    same = community[:, None] == community[None, :]
    chance = torch.where(same, 0.03, 0.004)
    friends = (torch.rand(users, users, generator=generator) < chance).triu(1)
    adjacency = (friends | friends.T).float()
    likes = torch.randn(users, features, generator=generator)
    likes[torch.arange(users), community] += 0.7
    return likes, adjacency, community


class MeanLayer(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.own = nn.Linear(inputs, outputs)
        self.others = nn.Linear(inputs, outputs)

    def forward(self, h, adjacency):
        degree = adjacency.sum(dim=1, keepdim=True)
        neighbours = (adjacency @ h) / degree
        return self.own(h) + self.others(neighbours)


class SageNet(nn.Module):
    def __init__(self, features=8, hidden=16):
        super().__init__()
        self.first = MeanLayer(features, hidden)
        self.second = MeanLayer(hidden, COMMUNITIES)

    def forward(self, likes, adjacency):
        hidden = F.relu(self.first(likes, adjacency))
        return self.second(hidden, adjacency)


def train(likes, adjacency, community, known, epochs=40):
    model = SageNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=1e-3)
    for epoch in range(epochs):
        scores = model(likes, adjacency)
        loss = F.cross_entropy(scores[known], community[known])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if epoch % 10 == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}")
    return model


def main(seed=0, users=300):
    torch.manual_seed(seed)
    likes, adjacency, community = make_network(users, seed)
    known = torch.rand(users) < 0.5
    model = train(likes, adjacency, community, known)
    with torch.no_grad():
        found = model(likes, adjacency)[~known].argmax(dim=1)
    accuracy = (found == community[~known]).float().mean().item()
    print(f"accuracy {accuracy:.3f}")
    return accuracy


if __name__ == "__main__":
    main()
