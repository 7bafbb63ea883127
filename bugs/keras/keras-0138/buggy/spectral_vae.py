"""Variational autoencoder for spectra."""

import keras
from keras import layers, ops

from minerals import CHANNELS


class Sampling(layers.Layer):
    """Draws a code from the normal distribution that the encoder describes."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.noise = keras.random.SeedGenerator()

    def call(self, mean, log_variance):
        epsilon = keras.random.normal(ops.shape(mean), seed=self.noise)
        return mean + ops.exp(0.5 * log_variance) * epsilon


class VAE(keras.Model):
    def __init__(self, code_size=6, **kwargs):
        super().__init__(**kwargs)
        self.hidden = layers.Dense(64, activation="relu")
        self.mean = layers.Dense(code_size)
        self.log_variance = layers.Dense(code_size)
        self.sampling = Sampling()
        self.decoder = keras.Sequential(
            [layers.Dense(64, activation="relu"), layers.Dense(CHANNELS, activation="sigmoid")]
        )

    def encode(self, spectra):
        hidden = self.hidden(spectra)
        return self.mean(hidden), self.log_variance(hidden)

    def call(self, spectra):
        mean, log_variance = self.encode(spectra)
        divergence = ops.square(mean) + ops.exp(log_variance) - 1.0 - log_variance
        self.add_loss(0.5 * ops.mean(ops.sum(divergence, axis=-1)))
        return self.decoder(self.sampling(mean, log_variance))

    def reconstruct(self, spectra):
        return self.decoder(self.encode(spectra)[0])


def reconstruction_loss(spectra, decoded):
    """Squared error in units of the measurement noise."""
    return 0.5 * ops.mean(ops.square((spectra - decoded) / 0.1), axis=-1)
