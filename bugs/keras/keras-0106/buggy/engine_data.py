"""Current of starter motors, sampled while the engine is cranked."""

import numpy as np

STEPS = 24
KINDS = ("healthy", "worn brushes", "weak battery")


def start_curve(kind, rng):
    """One recording: a rise and a fall at a kind-specific place."""
    time = np.linspace(0.0, 1.0, STEPS)
    peak = rng.uniform(0.8, 1.2)
    if kind == 0:
        curve = np.clip(1.0 - time, 0.0, 1.0)
    elif kind == 1:
        curve = np.clip(time, 0.0, 1.0)
    else:
        curve = np.abs(1.0 - 2.0 * time)
    return peak * curve + rng.normal(0.0, 0.05, STEPS)


def make_recordings(count, seed):
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, len(KINDS), count)
    curves = np.stack([start_curve(kind, rng) for kind in kinds])
    return curves[..., None].astype("float32"), kinds
