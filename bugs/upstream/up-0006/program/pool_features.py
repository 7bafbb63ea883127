"""A small convolutional network in bfloat16 that averages its features over the image."""

import torch
from einops import reduce
from torch import nn


class PooledNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Conv2d(3, 8, 3, padding=1)
        self.head = nn.Linear(8, 4)

    def forward(self, images):
        features = torch.relu(self.features(images))
        return self.head(reduce(features, "b c h w -> b c", "mean"))


def predict(dtype=torch.bfloat16):
    net = PooledNet().to(dtype)
    return net(torch.randn(2, 3, 8, 8, dtype=dtype))


def main():
    print(tuple(predict().shape))


if __name__ == "__main__":
    main()
