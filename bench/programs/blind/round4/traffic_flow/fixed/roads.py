"""Counts of cars at one station and its neighbours, every 15 minutes."""
import numpy as np

SLOTS = 96      # per day


def simulate(days, stations, seed):
    rng = np.random.default_rng(seed)
    t = np.arange(days * SLOTS)
    hour = t % SLOTS / 4
    weekend = (t // SLOTS % 7 >= 5)
    base = 60 * np.exp(-0.5 * ((hour - 8) / 1.5) ** 2) + 70 * np.exp(-0.5 * ((hour - 17) / 2) ** 2) + 10
    base = np.where(weekend, 0.5 * base + 10, base)
    # disturbances reach the first station last, two slots per road section
    wave = np.zeros(len(t) + 2 * stations)
    for i in range(1, len(wave)):
        wave[i] = 0.9 * wave[i - 1] + rng.normal(0, 2.5)
    flow = [base + wave[2 * s:2 * s + len(t)] + rng.normal(0, 2, len(t)) for s in range(stations)]
    return np.stack(flow, axis=1).astype("float32")


def windows(flow, length, ahead):
    """Inputs of `length` slots and the count at the first station `ahead` slots later."""
    last = len(flow) - length - ahead + 1
    x = np.stack([flow[i:i + length] for i in range(last)])
    y = flow[length + ahead - 1:, 0]
    return x, y
