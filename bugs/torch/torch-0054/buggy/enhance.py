"""Removes noise from speech: a mask over the spectrogram, estimated frame by frame."""

import math

import torch
from torch import nn

N_FFT, HOP = 64, 16


def hum(count, seed, samples=1024):
    """Voices (two harmonics that fade in and out) and the same with noise."""
    generator = torch.Generator().manual_seed(seed)
    time = torch.arange(samples) / 1000
    pitch = 60 + 60 * torch.rand(count, 1, generator=generator)
    voice = torch.sin(2 * math.pi * pitch * time) + 0.5 * torch.sin(4 * math.pi * pitch * time)
    clean = voice * torch.sin(math.pi * time / time[-1]) ** 2
    return clean, clean + 0.5 * torch.randn(clean.shape, generator=generator)


class MaskNet(nn.Module):
    def __init__(self, bins=N_FFT // 2 + 1, hidden=48):
        super().__init__()
        self.rnn = nn.GRU(bins, hidden, batch_first=True)
        self.mask = nn.Linear(hidden, bins)
        self.register_buffer("window", torch.hamming_window(N_FFT))

    def spectrum(self, wave):
        return torch.stft(wave, N_FFT, HOP, window=self.window, onesided=True)

    def forward(self, noisy):
        spectrum = self.spectrum(noisy)
        power = spectrum.pow(2).sum(dim=-1)
        hidden, _ = self.rnn(torch.log1p(power).transpose(1, 2))
        mask = torch.sigmoid(self.mask(hidden)).transpose(1, 2)
        masked = torch.view_as_complex((spectrum * mask.unsqueeze(-1)).contiguous())
        return torch.istft(masked, N_FFT, HOP, window=self.window, length=noisy.shape[1])


def train(epochs=3, batch_size=16):
    torch.manual_seed(0)
    clean, noisy = hum(96, seed=1)
    model = MaskNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        for rows in torch.randperm(len(clean)).split(batch_size):
            loss = nn.functional.l1_loss(model(noisy[rows]), clean[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    train()
