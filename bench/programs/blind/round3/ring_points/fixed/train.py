import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

NOISE = 8
BATCH = 128
STEPS = 2500

bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def real_points(n, rng):
    """Points near a circle of radius one."""
    angle = rng.uniform(0, 2 * np.pi, n)
    radius = 1.0 + 0.05 * rng.standard_normal(n)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).astype("float32")


def build_generator():
    return tf.keras.Sequential([
        tf.keras.layers.InputLayer((NOISE,)),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(2),
    ])


def build_discriminator():
    return tf.keras.Sequential([
        tf.keras.layers.InputLayer((2,)),
        tf.keras.layers.Dense(64, activation=tf.nn.leaky_relu),
        tf.keras.layers.Dense(64, activation=tf.nn.leaky_relu),
        tf.keras.layers.Dense(1),
    ])


class RingGAN:
    def __init__(self):
        self.generator = build_generator()
        self.discriminator = build_discriminator()
        self.g_opt = tf.keras.optimizers.Adam(5e-4, beta_1=0.5)
        self.d_opt = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)

    def generate(self, n):
        return self.generator(tf.random.normal((n, NOISE)), training=True)

    @tf.function
    def train_discriminator(self, real):
        fake = self.generate(BATCH)
        with tf.GradientTape() as tape:
            on_real = self.discriminator(real, training=True)
            on_fake = self.discriminator(fake, training=True)
            loss = bce(tf.ones_like(on_real), on_real) + bce(tf.zeros_like(on_fake), on_fake)
        variables = self.discriminator.trainable_variables
        self.d_opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    @tf.function
    def train_generator(self):
        with tf.GradientTape() as tape:
            fake = self.generate(BATCH)
            on_fake = self.discriminator(fake, training=True)
            loss = bce(tf.ones_like(on_fake), on_fake)
        variables = self.generator.trainable_variables
        self.g_opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss


def describe(points):
    radius = np.hypot(points[:, 0], points[:, 1])
    sector = ((np.arctan2(points[:, 1], points[:, 0]) + np.pi) / (2 * np.pi) * 12).astype(int) % 12
    share = np.bincount(sector, minlength=12) / len(points)
    return radius.mean(), radius.std(), share.min()


def main():
    rng = np.random.default_rng(0)
    tf.random.set_seed(0)
    gan = RingGAN()
    for step in range(1, STEPS + 1):
        d_loss = gan.train_discriminator(real_points(BATCH, rng))
        g_loss = gan.train_generator()
        if step % 500 == 0:
            r, s, share = describe(gan.generate(2000).numpy())
            print(f"step {step}: d {float(d_loss):.3f} g {float(g_loss):.3f} "
                  f"radius {r:.3f} +- {s:.3f} emptiest sector {share:.3f}")


if __name__ == "__main__":
    main()
