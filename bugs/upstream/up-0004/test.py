"""Healthy: a training step changes the head that reads the distillation token."""

import distill_stripes
import oracle
import torch


def gradient(seed):
    """The norm of the gradient of that head's weights."""
    distiller = distill_stripes.train(steps=2)
    distiller.zero_grad()
    images, labels = distill_stripes.make_images(32)
    distiller(images, labels).backward()
    found = [weight.grad for weight in distiller.distill_mlp.parameters() if weight.grad is not None]
    return torch.cat([part.flatten() for part in found]).norm().item() if found else 0.0


oracle.value("norm of the gradient", gradient, at_least=1e-4)
