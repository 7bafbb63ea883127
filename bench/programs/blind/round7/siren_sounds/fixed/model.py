import torch
import torch.nn as nn


class SirenNet(nn.Module):
    def __init__(self, n_samples, n_fft, hop, n_classes):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        bins = n_fft // 2 + 1
        frames = 1 + (n_samples - n_fft) // hop
        self.head = nn.Sequential(
            nn.Linear(16 * (bins // 4) * (frames // 4), 48),
            nn.ReLU(),
            nn.Dropout(0.3),
            nn.Linear(48, n_classes),
        )

    def forward(self, spec):
        h = self.conv(spec.unsqueeze(1))
        return self.head(h.flatten(1))


def count_parameters(model: nn.Module) -> int:
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def accuracy(logits: torch.Tensor, target: torch.Tensor) -> float:
    return (logits.argmax(1) == target).float().mean().item()
