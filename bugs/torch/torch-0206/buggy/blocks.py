"""Building blocks of a small mobile network."""

from torch import nn


def conv_block(inputs, outputs, stride=1, activation=nn.ReLU):
    return nn.Sequential(
        nn.Conv2d(inputs, inputs, 3, stride, 1, groups=inputs, bias=False),
        nn.BatchNorm2d(inputs),
        nn.Conv2d(inputs, outputs, 1, bias=False),
        nn.BatchNorm2d(outputs),
        activation(),
    )


class Squeeze(nn.Module):
    """Weights the channels by what the whole image shows."""

    def __init__(self, channels, reduced=4):
        super().__init__()
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(channels, reduced, 1), nn.ReLU(), nn.Conv2d(reduced, channels, 1), nn.Sigmoid()
        )

    def forward(self, x):
        return x * self.gate(x)
