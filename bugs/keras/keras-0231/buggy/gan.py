"""A generative adversarial network with a training step of its own."""

import keras
import tensorflow as tf
from keras import layers, ops

LATENT = 4


def build_generator():
    return keras.Sequential(
        [keras.Input(shape=(LATENT,)), layers.Dense(32, activation="relu"), layers.Dense(2)], name="generator"
    )


def build_discriminator():
    return keras.Sequential(
        [keras.Input(shape=(2,)), layers.Dense(32, activation="leaky_relu"), layers.Dense(1)], name="discriminator"
    )


class GAN(keras.Model):
    def __init__(self, seed=1337):
        super().__init__()
        self.generator = build_generator()
        self.discriminator = build_discriminator()
        self.seed = seed
        self.generator_loss = keras.metrics.Mean(name="generator_loss")
        self.discriminator_loss = keras.metrics.Mean(name="discriminator_loss")

    def compile(self, rate=2e-3):
        super().compile()
        self.generator_optimizer = keras.optimizers.Adam(rate, beta_1=0.5)
        self.discriminator_optimizer = keras.optimizers.Adam(rate, beta_1=0.5)
        self.cross_entropy = keras.losses.BinaryCrossentropy(from_logits=True)

    def draw(self, count):
        """Points of the latent space."""
        return keras.random.normal((count, LATENT), seed=self.seed)

    def generate(self, count):
        return self.generator(self.draw(count))

    def train_step(self, real):
        count = ops.shape(real)[0]
        with tf.GradientTape() as tape:
            verdicts = self.discriminator(ops.concatenate([real, self.generate(count)]), training=True)
            truth = ops.concatenate([0.9 * ops.ones((count, 1)), ops.zeros((count, 1))])
            loss = self.cross_entropy(truth, verdicts)
        weights = self.discriminator.trainable_weights
        self.discriminator_optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        self.discriminator_loss.update_state(loss)
        with tf.GradientTape() as tape:
            verdicts = self.discriminator(self.generate(count))
            loss = self.cross_entropy(ops.ones((count, 1)), verdicts)
        weights = self.generator.trainable_weights
        self.generator_optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        self.generator_loss.update_state(loss)
        return {metric.name: metric.result() for metric in self.metrics}
