"""Strength of concrete by its recipe: water, cement, ash and days of hardening."""

import numpy as np


def load(count, seed):
    rng = np.random.default_rng(seed)
    recipe = rng.uniform(-1.0, 1.0, (count, 4))
    water, cement, ash, days = recipe.T
    strength = 1.2 * cement - water - 0.8 * water * cement + 0.4 * ash + 0.7 * np.tanh(2 * days) + 0.5 * ash * days
    return recipe.astype("float32"), (strength + rng.normal(0.0, 0.05, count))[:, None].astype("float32")
