"""A cheap thermometer: it shows other values than the official one, the more so in sunshine."""

import numpy as np


def measurements(count, seed):
    """What the cheap thermometer shows and the light on it; and the official temperature."""
    rng = np.random.default_rng(seed)
    temperature = rng.uniform(-1.5, 1.5, count)
    light = rng.uniform(0.0, 1.0, count)
    shown = (temperature - 0.4 + 0.9 * light) / 1.3 + rng.normal(0.0, 0.02, count)
    return np.stack([shown, light], axis=1).astype("float32"), temperature[:, None].astype("float32")
