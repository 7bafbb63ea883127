"""Variational autoencoder for 16x16 glyphs."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

SIZE, LATENT = 16, 4


def glyphs(n, rng):
    """Boxes, crosses and discs of varying place and size."""
    yy, xx = np.mgrid[0:SIZE, 0:SIZE]
    out = np.zeros((n, SIZE, SIZE), dtype="float32")
    for img in out:
        cy, cx = rng.uniform(5, 11, size=2)
        r = rng.uniform(2.5, 4.5)
        dy, dx = np.abs(yy - cy), np.abs(xx - cx)
        kind = rng.integers(3)
        if kind == 0:
            img[np.maximum(dy, dx) < r] = 1
        elif kind == 1:
            img[(np.minimum(dy, dx) < 1) & (np.maximum(dy, dx) < r)] = 1
        else:
            img[dy ** 2 + dx ** 2 < r * r] = 1
    return out.reshape(n, SIZE * SIZE)


class VAE(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.encoder = keras.Sequential([
            keras.Input((SIZE * SIZE,)), layers.Dense(128, activation="relu"), layers.Dense(2 * LATENT)])
        self.decoder = keras.Sequential([
            keras.Input((LATENT,)), layers.Dense(128, activation="relu"),
            layers.Dense(SIZE * SIZE, activation="sigmoid")])
        self.seed_gen = keras.random.SeedGenerator(5)
        self.trackers = [keras.metrics.Mean(name=n) for n in ("loss", "recon", "kl")]

    @property
    def metrics(self):
        return self.trackers

    def call(self, x):
        mean, _ = ops.split(self.encoder(x), 2, axis=-1)
        return self.decoder(mean)

    def losses_for(self, x):
        mean, logvar = ops.split(self.encoder(x), 2, axis=-1)
        noise = keras.random.normal(ops.shape(mean), seed=self.seed_gen)
        restored = self.decoder(mean + ops.exp(0.5 * logvar) * noise)
        recon = ops.mean(keras.losses.binary_crossentropy(x, restored))
        kl = ops.mean(ops.sum(-0.5 * (1 + logvar - ops.square(mean) - ops.exp(logvar)), axis=-1))
        return recon + kl, recon, kl

    def report(self, values):
        for tracker, value in zip(self.trackers, values):
            tracker.update_state(value)
        return {t.name: t.result() for t in self.trackers}

    def train_step(self, x):
        with tf.GradientTape() as tape:
            values = self.losses_for(x)
        grads = tape.gradient(values[0], self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return self.report(values)

    def test_step(self, x):
        return self.report(self.losses_for(x))


def main():
    keras.utils.set_random_seed(5)
    rng = np.random.default_rng(5)
    train, val = glyphs(4000, rng), glyphs(500, rng)
    train_ds = tf.data.Dataset.from_tensor_slices(train).shuffle(4000, seed=5).batch(64)
    val_ds = tf.data.Dataset.from_tensor_slices(val).batch(100)
    vae = VAE()
    vae.compile(optimizer=keras.optimizers.Adam(2e-3))
    vae.fit(train_ds, validation_data=val_ds, epochs=15, verbose=2)

    restored = vae.predict(val, verbose=0)
    baseline = np.mean((val - train.mean(axis=0)) ** 2)
    samples = vae.decoder.predict(rng.normal(size=(200, LATENT)).astype("float32"), verbose=0)
    print(f"reconstruction mse {np.mean((val - restored) ** 2):.4f} (mean image {baseline:.4f})")
    print(f"pixel spread of samples {samples.std(axis=0).mean():.4f}, of data {val.std(axis=0).mean():.4f}")


if __name__ == "__main__":
    main()
