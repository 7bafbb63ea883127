"""Encoder and decoder of patches of fabric."""

from torch import nn


class Encoder(nn.Module):
    def __init__(self, pixels, code_size):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(pixels, 48), nn.LeakyReLU(0.2), nn.Linear(48, code_size))

    def forward(self, patches):
        return self.layers(patches.flatten(1))


class Decoder(nn.Module):
    def __init__(self, pixels, code_size, side):
        super().__init__()
        self.side = side
        self.layers = nn.Sequential(nn.Linear(code_size, 48), nn.LeakyReLU(0.2), nn.Linear(48, pixels))

    def forward(self, codes):
        return self.layers(codes).view(-1, 1, self.side, self.side)


class Autoencoder(nn.Module):
    """Returns the code of each patch along with the rebuilt patch."""

    def __init__(self, side=8, code_size=6):
        super().__init__()
        self.encoder = Encoder(side * side, code_size)
        self.decoder = Decoder(side * side, code_size, side)

    def forward(self, patches):
        codes = self.encoder(patches)
        return codes, self.decoder(codes)
