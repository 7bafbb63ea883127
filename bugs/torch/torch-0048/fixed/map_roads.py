import torch
from torch import nn

from roads.model import RoadUNet
from roads.tiles import cut_tiles


def train(epochs=2):
    torch.manual_seed(0)
    model = RoadUNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        for tiles, masks in cut_tiles():
            loss = criterion(model(tiles), masks)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(f"epoch {epoch} tiles of {tiles.shape[2]} x {tiles.shape[3]}: loss {loss.item():.3f}")


if __name__ == "__main__":
    train()
