import numpy as np

NAMES = ["stripes_h", "stripes_v", "checker", "rings", "noise"]


def texture(kind, rng, size=20):
    yy, xx = np.mgrid[0:size, 0:size].astype(float)
    f = rng.uniform(0.9, 1.5)
    a, b = rng.uniform(0, 2 * np.pi, 2)
    if kind == 0:
        img = np.sin(f * yy + a)
    elif kind == 1:
        img = np.sin(f * xx + a)
    elif kind == 2:
        img = np.sin(f * yy + a) * np.sin(f * xx + b) * 1.4
    elif kind == 3:
        cy, cx = rng.uniform(5, 15, 2)
        img = np.sin(f * np.hypot(yy - cy, xx - cx) + a)
    else:
        img = rng.standard_normal((size, size)) * 0.7
    return rng.uniform(0.5, 1.5) * img + 0.8 * rng.standard_normal((size, size))


def dataset(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(NAMES), count)
    images = np.stack([texture(k, rng) for k in labels])[:, None]
    return (60 * images + 128).clip(0, 255).astype(np.uint8), labels
