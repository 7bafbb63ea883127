"""Spot spoken commands: log spectrograms of short clips and a small CNN."""
import math

import torch
from torch import nn

RATE, CLIP = 4000, 2000
COMMANDS = ["up", "down", "stop", "go", "left"]
PER_CLASS = 160


def clip_for(command, gen):
    t = torch.arange(CLIP) / RATE
    jitter = 1 + 0.1 * (torch.rand(1, generator=gen) - 0.5)
    pos = t / t[-1]
    if command == "up":
        freq = 400 + 600 * pos
    elif command == "down":
        freq = 1000 - 600 * pos
    elif command == "stop":
        freq = torch.full_like(t, 700)
    elif command == "go":
        freq = 700 + 250 * torch.sin(2 * math.pi * 3 * pos)
    else:
        freq = torch.where(pos < 0.5, torch.tensor(500.0), torch.tensor(900.0))
    phase = 2 * math.pi * torch.cumsum(freq * jitter, 0) / RATE
    voice = torch.sin(phase) + 0.4 * torch.sin(2 * phase)
    return voice + 0.8 * torch.randn(CLIP, generator=gen)


def build_corpus(gen):
    waves, labels = [], []
    for label, command in enumerate(COMMANDS):
        for _ in range(PER_CLASS):
            waves.append(clip_for(command, gen))
            labels.append(label)
    return torch.stack(waves), torch.tensor(labels)


def log_spectrogram(waves):
    window = torch.hann_window(128)
    spec = torch.stft(waves, n_fft=128, hop_length=64, window=window, return_complex=True).abs()
    return torch.log(spec + 1e-3).unsqueeze(1)


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 12, 3, padding=1), nn.BatchNorm2d(12), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(12, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(24, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d((4, 4)),
        nn.Flatten(), nn.Dropout(0.3), nn.Linear(32 * 16, len(COMMANDS)),
    )


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        logits = model(x)
    return nn.functional.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    waves, labels = build_corpus(gen)

    # the clips come out class by class: mix them before splitting
    perm = torch.randperm(len(waves))
    waves, labels = waves[perm], labels[perm]
    n_train = int(0.75 * len(waves))
    spec = log_spectrogram(waves)
    mean, std = spec[:n_train].mean(), spec[:n_train].std()
    spec = (spec - mean) / std
    x_train, y_train = spec[:n_train], labels[:n_train]
    x_val, y_val = spec[n_train:], labels[n_train:]

    model = build_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(6):
        model.train()
        order = torch.randperm(n_train)
        total = 0.0
        for i in range(0, n_train, 32):
            idx = order[i:i + 32]
            loss = nn.functional.cross_entropy(model(x_train[idx]), y_train[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        val_loss, val_acc = evaluate(model, x_val, y_val)
        print(f"epoch {epoch + 1}: train {total / n_train:.3f}  val {val_loss:.3f}  acc {val_acc:.3f}")


if __name__ == "__main__":
    main()
