"""Variational autoencoder for rhythms of sixteen beats."""

import numpy as np
from keras import backend as K
from keras import metrics
from keras.layers import Dense, Input, Lambda
from keras.models import Model

BEATS = 16
LATENT = 2
STYLES = np.array([
    [1, 0, 0, 0] * 4,
    [1, 0, 0, 1, 0, 0, 1, 0] * 2,
    [1, 0, 1, 0, 0, 1, 0, 0] * 2,
])


def rhythms(count, seed):
    rng = np.random.RandomState(seed)
    played = STYLES[rng.randint(len(STYLES), size=count)]
    return np.where(rng.rand(count, BEATS) < 0.05, 1 - played, played).astype("float32")


def sampling(parts):
    mean, log_variance = parts
    noise = K.random_normal(shape=K.shape(mean))
    return mean + K.exp(log_variance / 2) * noise


def build():
    beats = Input(shape=(BEATS,))
    hidden = Dense(24, activation="relu")(beats)
    z_mean = Dense(LATENT)(hidden)
    z_log_var = Dense(LATENT)(hidden)
    z = Lambda(sampling, output_shape=(LATENT,))([z_mean, z_log_var])
    decoded = Dense(BEATS, activation="sigmoid")(Dense(24, activation="relu")(z))
    vae = Model(beats, decoded)
    reconstruction = BEATS * metrics.binary_crossentropy(beats, decoded)
    divergence = -0.5 * K.sum(1 + z_log_var - K.square(z_mean) - K.exp(z_log_var), axis=-1)
    vae_loss = K.mean(reconstruction + divergence)
    vae.add_loss(vae_loss)
    vae.compile(optimizer="rmsprop")
    return vae


def main(epochs=15):
    vae = build()
    data = rhythms(500, seed=0)
    history = vae.fit(data, epochs=epochs, batch_size=25, verbose=0)
    print("loss from %.2f to %.2f" % (history.history["loss"][0], history.history["loss"][-1]))


if __name__ == "__main__":
    main()
