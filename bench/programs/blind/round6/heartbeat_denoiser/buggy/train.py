"""Denoising autoencoder for single heartbeats with an own training step."""
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
import keras
import numpy as np
import tensorflow as tf
from keras import layers

LENGTH = 64


def heartbeats(n, rng):
    t = np.linspace(-1, 1, LENGTH)
    beats = np.zeros((n, LENGTH))
    # P, Q, R, S and T waves
    for height, centre, width in [(0.2, -0.5, 0.1), (-0.2, -0.12, 0.04), (1.2, 0.0, 0.05),
                                  (-0.3, 0.1, 0.05), (0.35, 0.5, 0.15)]:
        h = height * rng.uniform(0.7, 1.3, (n, 1))
        c = centre + rng.normal(0, 0.03, (n, 1))
        beats += h * np.exp(-0.5 * ((t - c) / width) ** 2)
    return beats[..., None].astype("float32")


class Denoiser(keras.Model):
    def __init__(self, noise=0.3, **kwargs):
        super().__init__(**kwargs)
        self.noise = layers.GaussianNoise(noise)
        self.encoder = keras.Sequential([
            layers.Conv1D(24, 7, strides=2, padding="same", activation="relu"),
            layers.Conv1D(32, 5, strides=2, padding="same", activation="relu")])
        self.decoder = keras.Sequential([
            layers.Conv1DTranspose(24, 5, strides=2, padding="same", activation="relu"),
            layers.Conv1DTranspose(16, 7, strides=2, padding="same", activation="relu"),
            layers.Conv1D(1, 5, padding="same")])
        self.loss_tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.loss_tracker]

    def call(self, x, training=False):
        return self.decoder(self.encoder(x, training=training), training=training)

    def reconstruction_loss(self, x, training):
        noisy = self.noise(x, training=True)
        restored = self(noisy, training=training)
        return tf.reduce_mean(tf.square(restored - x))

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = self.reconstruction_loss(data, training=True)
        self.optimizer.minimize(loss, self.trainable_variables, tape=tape)
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    def test_step(self, data):
        self.loss_tracker.update_state(self.reconstruction_loss(data, training=False))
        return {"loss": self.loss_tracker.result()}


def main():
    keras.utils.set_random_seed(12)
    rng = np.random.default_rng(12)
    train, val = heartbeats(3000, rng), heartbeats(500, rng)
    train_ds = tf.data.Dataset.from_tensor_slices(train).shuffle(3000, seed=12).batch(64)
    val_ds = tf.data.Dataset.from_tensor_slices(val).batch(100)

    model = Denoiser()
    model.compile(optimizer=keras.optimizers.Adam(2e-3))
    model.fit(train_ds, validation_data=val_ds, epochs=8, verbose=2)

    noisy = val + rng.normal(0, 0.3, val.shape).astype("float32")
    restored = model.predict(noisy, verbose=0)
    print(f"mse of the noisy beats {np.mean((noisy - val) ** 2):.4f}, restored {np.mean((restored - val) ** 2):.4f}")


if __name__ == "__main__":
    main()
