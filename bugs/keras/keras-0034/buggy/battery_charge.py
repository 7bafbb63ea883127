"""Estimates the charge of battery packs from what flowed in and out, with a recurrent network.

A pack reports current and temperature at ten moments. Its true charge at the end is expensive to
measure and known for some packs only: those have the weight one, the others zero.
"""

import keras
import numpy as np
from keras import layers, ops

MOMENTS = 10


def run_packs(count, rng):
    """Readings of ``count`` packs, their true charge, and which of them were measured."""
    readings = rng.normal(size=(count, MOMENTS, 2))
    charge = np.zeros(count)
    for current, temperature in readings.transpose(1, 2, 0):
        charge = 0.8 * charge + 0.6 * current - 0.2 * temperature
    measured = rng.random(count) < 0.3
    charge = np.where(measured, charge, 0.0)
    return readings.astype("float32"), charge[:, None].astype("float32"), measured.astype("float32")


class ChargeEstimator(keras.Model):
    """A recurrent layer over the readings and one number at the end."""

    def __init__(self, units=16):
        super().__init__()
        self.recurrent = layers.GRU(units)
        self.charge = layers.Dense(1)

    def call(self, readings):
        return self.charge(self.recurrent(readings))

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """Squared error, averaged over the packs with a weight."""
        errors = ops.square(y - y_pred)[:, 0]
        return ops.sum(sample_weight * errors) / ops.sum(sample_weight)


def train(seed=0, epochs=6, verbose=0):
    """Trains on 1000 packs; returns the estimator and the loss of every epoch."""
    keras.utils.set_random_seed(seed)
    readings, charge, measured = run_packs(1000, np.random.default_rng(seed))
    model = ChargeEstimator()
    model.compile(optimizer=keras.optimizers.Adam(learning_rate=0.01))
    history = model.fit(
        readings, charge, sample_weight=measured, batch_size=10, epochs=epochs, verbose=verbose
    )
    return model, history.history["loss"]


def error(model, seed=0):
    """Mean squared error on measured packs that were not trained on."""
    readings, charge, measured = run_packs(500, np.random.default_rng(seed + 10_000))
    estimates = np.asarray(model(readings))
    return float(np.mean((estimates - charge)[measured == 1.0] ** 2))


if __name__ == "__main__":
    model, _ = train(verbose=2)
    print("error on other packs: %.4f" % error(model))
