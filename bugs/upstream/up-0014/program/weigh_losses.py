"""The loss of a diffusion model in continuous time, with weights that balance noisy and clean steps."""

import torch
from denoising_diffusion_pytorch.continuous_time_gaussian_diffusion import ContinuousTimeGaussianDiffusion
from torch import nn


class PlainDenoiser(nn.Module):
    """Predicts the noise from the noisy image alone."""

    random_or_learned_sinusoidal_cond = True
    self_condition = False

    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(1, 1, 3, padding=1)

    def forward(self, images, log_snr):
        return self.layer(images)


def losses_at(time, images, noise):
    """The loss of one denoiser at one time, without and with weights."""
    denoiser = PlainDenoiser()
    times = torch.full((len(images),), time)
    return [
        ContinuousTimeGaussianDiffusion(
            denoiser, image_size=8, channels=1, min_snr_loss_weight=weighted, min_snr_gamma=5
        ).p_losses(images, times, noise)
        for weighted in (False, True)
    ]


def main():
    torch.manual_seed(0)
    images, noise = torch.rand(16, 1, 8, 8) * 2 - 1, torch.randn(16, 1, 8, 8)
    for time in (0.05, 0.5, 0.95):
        plain, weighted = losses_at(time, images, noise)
        print(f"time {time}: weight {(weighted / plain).item():.4g}")


if __name__ == "__main__":
    main()
