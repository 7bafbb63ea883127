"""Healthy: validation needs memory for a batch or two at a time, however many pictures it sees."""

import denoise_images
import oracle
import torch

validation = denoise_images.paint_pictures(480, torch.Generator().manual_seed(0))
model = denoise_images.Denoiser()
denoise_images.validate(model, validation[:16])  # the first pass also loads parts of the framework


def megabytes(seed):
    return oracle.peak_megabytes(denoise_images.validate, model, validation)


oracle.cost("megabytes at the peak of validation", megabytes, ratio=3.0)
