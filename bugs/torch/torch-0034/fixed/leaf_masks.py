"""Separates a leaf from the background of a drawing, pixel by pixel."""

import torch
from torch import nn

SIDE = 16


def make_leaves(count=160, seed=1):
    generator = torch.manual_seed(seed)
    rows = torch.arange(SIDE, dtype=torch.float32).view(1, SIDE, 1)
    columns = torch.arange(SIDE, dtype=torch.float32).view(1, 1, SIDE)
    middle = 5 + 6 * torch.rand(count, 2, 1, 1, generator=generator)
    distance = ((rows - middle[:, 0]) / 5) ** 2 + ((columns - middle[:, 1]) / 3) ** 2
    masks = (distance < 1).float().unsqueeze(1)
    return 0.6 * masks + 0.3 * torch.rand(masks.shape, generator=generator), masks


def accuracy(model, drawings, masks):
    with torch.no_grad():
        predicted = (model(drawings) > 0).float()
    right = torch.sum(predicted == masks, dtype=torch.float32)
    return float(right / masks.numel())


def train(epochs=3):
    drawings, masks = make_leaves()
    model = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(1, epochs + 1):
        for rows in torch.randperm(len(drawings)).split(16):
            optimizer.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(model(drawings[rows]), masks[rows])
            loss.backward()
            optimizer.step()
        print("epoch %d: loss %.3f, accuracy %.4f" % (epoch, loss.item(), accuracy(model, drawings, masks)))
    return model


if __name__ == "__main__":
    train()
