"""Made-up log messages with their level."""

import numpy as np

LEVELS = ["info", "warning", "error"]
WORDS = ["disk", "full", "user", "login", "failed", "slow", "started", "stopped", "retry", "network"]


def collect(count, seed):
    rng = np.random.RandomState(seed)
    levels = rng.randint(len(LEVELS), size=count)
    texts = [" ".join(rng.choice(WORDS, 4)) + " " + LEVELS[level][:4] for level in levels]
    return np.array(texts), levels
