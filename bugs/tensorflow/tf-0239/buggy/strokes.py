import numpy as np

COUNT, LENGTH = 80, 24


def make_strokes():
    """Offsets of a pen that draws loops of different size and speed, with a trembling hand."""
    random = np.random.default_rng(3)
    speed = random.uniform(0.2, 0.9, (COUNT, 1))
    start = random.uniform(0, 2 * np.pi, (COUNT, 1))
    size = random.uniform(0.5, 1.5, (COUNT, 1))
    angle = start + speed * np.arange(LENGTH + 1)
    points = np.stack([size * np.cos(angle), size * np.sin(angle)], axis=-1)
    points += random.normal(0, 0.15, points.shape)
    return np.diff(points, axis=1).astype("float32")
