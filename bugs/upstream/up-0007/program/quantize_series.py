"""A linear autoencoder whose code is quantized by four codebooks."""

import torch
from torch import nn
from vector_quantize_pytorch import LatentQuantize


def train(steps=5):
    encoder, decoder = nn.Conv1d(8, 16, 1), nn.Conv1d(16, 8, 1)
    quantizer = LatentQuantize(
        levels=[5, 5, 8], dim=16, num_codebooks=4, commitment_loss_weight=0.1, quantization_loss_weight=0.1
    )
    weights = [*encoder.parameters(), *decoder.parameters(), *quantizer.parameters()]
    optimizer = torch.optim.Adam(weights, lr=1e-3)
    for _ in range(steps):
        series = torch.randn(4, 8, 32)
        code, indices, extra = quantizer(encoder(series))
        loss = nn.functional.mse_loss(decoder(code), series) + extra
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return indices


def main():
    print(tuple(train().shape))


if __name__ == "__main__":
    main()
