"""Predicts the next position of each walker."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from walkers import WalkerDataset, seq_collate


class PathEncoder(nn.Module):
    def __init__(self, embedding_dim=8, h_dim=16):
        super().__init__()
        self.embedding_dim = embedding_dim
        self.spatial_embedding = nn.Linear(2, embedding_dim)
        self.encoder = nn.LSTM(embedding_dim, h_dim)
        self.hidden2pos = nn.Linear(h_dim, 2)

    def forward(self, obs_traj):
        batch = obs_traj.size(1)
        embedded = self.spatial_embedding(obs_traj.reshape(-1, 2))
        embedded = embedded.view(-1, batch, self.embedding_dim)
        _, (state, _) = self.encoder(embedded)
        return obs_traj[-1] + self.hidden2pos(state.squeeze(0))


def train(epochs=3):
    torch.manual_seed(0)
    loader = DataLoader(WalkerDataset(), batch_size=6, shuffle=True, collate_fn=seq_collate)
    model = PathEncoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        for traj, _ in loader:
            loss = nn.functional.mse_loss(model(traj[:-1]), traj[-1])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.5f}")


if __name__ == "__main__":
    train()
