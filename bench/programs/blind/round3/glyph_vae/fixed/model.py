import keras
from keras import layers, ops


def build_encoder(size, latent):
    inputs = keras.Input((size, size, 1))
    h = layers.Conv2D(16, 3, strides=2, padding="same", activation="relu")(inputs)
    h = layers.Conv2D(32, 3, strides=2, padding="same", activation="relu")(h)
    h = layers.Dense(64, activation="relu")(layers.Flatten()(h))
    return keras.Model(inputs, [layers.Dense(latent)(h), layers.Dense(latent)(h)], name="encoder")


def build_decoder(size, latent):
    inputs = keras.Input((latent,))
    h = layers.Dense(64, activation="relu")(inputs)
    h = layers.Dense((size // 4) ** 2 * 32, activation="relu")(h)
    h = layers.Reshape((size // 4, size // 4, 32))(h)
    h = layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(h)
    h = layers.Conv2DTranspose(16, 3, strides=2, padding="same", activation="relu")(h)
    return keras.Model(inputs, layers.Conv2D(1, 3, padding="same", activation="sigmoid")(h), name="decoder")


class GlyphVAE(keras.Model):
    def __init__(self, size, latent, **kwargs):
        super().__init__(**kwargs)
        self.encoder = build_encoder(size, latent)
        self.decoder = build_decoder(size, latent)
        self.seed_generator = keras.random.SeedGenerator(7)

    def sample(self, mean, log_var):
        eps = keras.random.normal(ops.shape(mean), seed=self.seed_generator)
        return mean + ops.exp(0.5 * log_var) * eps

    def call(self, x):
        mean, log_var = self.encoder(x)
        z = self.sample(mean, log_var)
        kl = -0.5 * ops.sum(1 + log_var - ops.square(mean) - ops.exp(log_var), axis=1)
        self.add_loss(ops.mean(kl))
        return self.decoder(z)


def reconstruction_loss(x, x_hat):
    bce = keras.losses.binary_crossentropy(x, x_hat)
    return ops.sum(bce, axis=(1, 2))
