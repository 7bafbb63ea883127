"""Small pictures of flowers: petals, hue and size depend on the species."""
import numpy as np
import torch

# (number of petals, hue)
BASE_SPECIES = [(3, 0.1), (4, 0.4), (5, 0.7), (6, 0.2), (7, 0.5), (8, 0.9)]
NEW_SPECIES = [(3, 0.6), (5, 0.3), (8, 0.5), (6, 0.8)]


def draw(petals, hue, rng, size=24):
    yy, xx = np.mgrid[:size, :size] / (size - 1) * 2 - 1
    yy, xx = yy - rng.uniform(-0.15, 0.15), xx - rng.uniform(-0.15, 0.15)
    angle = np.arctan2(yy, xx) + rng.uniform(0, 2 * np.pi)
    radius = np.hypot(xx, yy)
    shape = radius < rng.uniform(0.5, 0.7) * (0.65 + 0.35 * np.cos(petals * angle))
    hue = hue + rng.normal(0, 0.08)
    colour = np.array([hue, 1 - hue, 0.5 + 0.3 * np.sin(6 * hue)])
    image = shape[None] * colour[:, None, None] + rng.normal(0, 0.15, (3, size, size))
    return image


def make_set(species, per_class, rng):
    images, labels = [], []
    for label, (petals, hue) in enumerate(species):
        for _ in range(per_class):
            images.append(draw(petals, hue, rng))
            labels.append(label)
    return torch.tensor(np.array(images), dtype=torch.float32), torch.tensor(labels)
