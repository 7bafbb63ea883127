import keras
import numpy as np
import tensorflow as tf


class Spectra:
    """Mixtures of a few emission lines out of a fixed catalogue."""

    def __init__(self, n_lines=30, points=80, seed=0):
        rng = np.random.default_rng(seed)
        grid = np.linspace(0, 1, points)
        centres = rng.uniform(0.03, 0.97, n_lines)
        widths = rng.uniform(0.008, 0.03, n_lines)
        self.lines = np.exp(-0.5 * ((grid - centres[:, None]) / widths[:, None]) ** 2)

    def sample(self, n, seed):
        rng = np.random.default_rng(seed)
        present = rng.random((n, len(self.lines))) < 0.1
        strength = present * rng.uniform(0.5, 1.5, present.shape)
        spectra = strength @ self.lines + rng.normal(0, 0.02, (n, self.lines.shape[1]))
        return spectra.astype("float32")


class SparseAutoencoder(keras.Model):
    def __init__(self, points, code=48, sparsity=5e-3, **kwargs):
        super().__init__(**kwargs)
        self.encoder = keras.Sequential([
            keras.layers.Dense(96, activation="relu"),
            keras.layers.Dense(code, activation="relu",
                               activity_regularizer=keras.regularizers.L1(sparsity)),
        ])
        self.decoder = keras.layers.Dense(points)

    def call(self, x, training=False):
        return self.decoder(self.encoder(x, training=training))


def active_share(model, x, threshold=0.05):
    code = keras.ops.convert_to_numpy(model.encoder(x))
    return float((code > threshold).mean())


def main(epochs=40, batch=64):
    keras.utils.set_random_seed(6)
    source = Spectra()
    x_train, x_val = source.sample(3000, seed=1), source.sample(600, seed=2)
    model = SparseAutoencoder(points=x_train.shape[1])
    optimizer = keras.optimizers.Adam(2e-3)
    mse = keras.losses.MeanSquaredError()

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            rec = mse(x, model(x, training=True))
            loss = rec + sum(model.losses)
        grads = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(grads, model.trainable_weights))
        return rec

    data = tf.data.Dataset.from_tensor_slices(x_train).shuffle(3000, seed=6).batch(batch)
    for epoch in range(1, epochs + 1):
        rec = np.mean([float(step(x)) for x in data])
        if epoch % 5 == 0:
            val = float(mse(x_val, model(x_val)))
            print(f"epoch {epoch:2d}: reconstruction {rec:.5f}, val {val:.5f}, "
                  f"active units {active_share(model, x_val):.3f}")
    print(f"variance of the spectra {x_val.var():.4f}")


if __name__ == "__main__":
    main()
