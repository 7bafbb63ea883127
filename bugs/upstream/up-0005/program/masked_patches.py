"""A vision transformer that leaves out the patches that a mask names."""

import torch
from torch import nn
from vit_pytorch import ViT


def make_batch(count=6):
    images = torch.randn(count, 3, 32, 32)
    keep = torch.rand(count, 8, 8) > 0.3
    return images, keep, torch.randint(0, 5, (count,))


def train(steps=3):
    model = ViT(image_size=32, patch_size=4, num_classes=5, dim=32, depth=1, heads=4, mlp_dim=64)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(steps):
        images, keep, labels = make_batch()
        loss = nn.functional.cross_entropy(model(images, mask=keep), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


def main():
    train()
    print("trained")


if __name__ == "__main__":
    main()
