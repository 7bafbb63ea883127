import torch
import torch.nn.functional as F
from torch import nn


class VAE(nn.Module):
    def __init__(self, pixels, hidden=128, latent=6):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(pixels, hidden), nn.ReLU(), nn.Linear(hidden, 2 * latent))
        self.decode = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(),
                                    nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, pixels))

    def forward(self, x):
        mu, logvar = self.encode(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.decode(z), mu, logvar


def elbo_terms(logits, x, mu, logvar):
    recon = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(dim=1).mean()
    return recon, kl
