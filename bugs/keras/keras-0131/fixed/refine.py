"""Trains the refiner against the discriminator and reports how far its strokes are from real ones."""

import numpy as np

from networks import build_all
from pen_strokes import real_strokes, simulated_strokes

BATCH = 64
STEPS = 300


def train(seed, steps=STEPS, log=True):
    rng = np.random.default_rng(seed)
    real, simulated = real_strokes(1000, seed), simulated_strokes(1000, seed + 1)
    refiner, discriminator, combined = build_all()
    y_real, y_refined = np.ones((BATCH, 1)), np.zeros((BATCH, 1))
    for step in range(steps):
        some_real = real[rng.integers(len(real), size=BATCH)]
        some_simulated = simulated[rng.integers(len(simulated), size=BATCH)]
        refined = np.asarray(refiner(some_simulated))

        discriminator.trainable = True
        d_real = discriminator.train_on_batch(some_real, y_real)
        d_refined = discriminator.train_on_batch(refined, y_refined)

        discriminator.trainable = False
        r_loss = combined.train_on_batch(some_simulated, y_real)
        if log and (step + 1) % 50 == 0:
            print("step %d: real %.4f, refined %.4f, refiner %.4f" % (step + 1, d_real, d_refined, r_loss))
    return refiner


def main(seed=0):
    """The distance between the mean refined and the mean real stroke, per point."""
    refiner = train(seed)
    refined = np.asarray(refiner(simulated_strokes(500, seed + 2)))
    distance = np.abs(refined.mean(axis=0) - real_strokes(500, seed + 3).mean(axis=0)).mean()
    print("distance of the mean strokes: %.3f" % distance)
    return float(distance)


if __name__ == "__main__":
    main()
