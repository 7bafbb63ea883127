import numpy as np

STEPS, CHANNELS = 50, 6
FAULTS = ("healthy", "bearing", "imbalance", "leak")


def record(fault, rng):
    t = np.arange(STEPS)
    x = rng.normal(0, 0.6, (STEPS, CHANNELS))
    x += np.sin(2 * np.pi * t / 12 + rng.uniform(0, 6))[:, None] * 0.5
    if fault == 1:
        hit = rng.integers(5, STEPS - 8)
        x[hit:hit + 6, :2] += rng.choice([-1, 1], (6, 2)) * 2.0
    elif fault == 2:
        x[:, 2:4] += np.sin(2 * np.pi * t / 5 + rng.uniform(0, 6))[:, None] * 1.2
    elif fault == 3:
        x[:, 5] -= np.linspace(0, 2.0, STEPS)
    return x


def make_records(count, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(FAULTS), count)
    x = np.stack([record(f, rng) for f in y]).astype("float32")
    return x, y.astype("int32")
