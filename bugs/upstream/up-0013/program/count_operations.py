"""Counts the multiplications of a linear layer that is applied to every token of a batch."""

import torch
from torch import nn
from torchinfo import summary


def count(batch, tokens, inputs, outputs):
    """The multiplications and additions of one forward pass, as the summary has them."""
    layer = nn.Linear(inputs, outputs, bias=False)
    return summary(layer, input_data=torch.randn(batch, tokens, inputs), verbose=0).total_mult_adds


def main():
    for tokens in (1, 16, 64):
        print(tokens, "tokens:", count(32, tokens, 8, 64))


if __name__ == "__main__":
    main()
