"""Autoencoder that compresses synthetic spectra (64 channels, a few peaks each)."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(99)

CHANNELS = 64
PEAKS = np.array([8, 17, 26, 35, 47, 56])


def make_spectra(n):
    """Every spectrum is a mixture of six lines with random strength."""
    axis = np.arange(CHANNELS)
    spectra = np.zeros((n, CHANNELS))
    for i in range(n):
        strength = np.random.uniform(0, 0.3, len(PEAKS))
        width = np.random.uniform(2.0, 3.0)
        for centre, s in zip(PEAKS, strength):
            spectra[i] += s * np.exp(-0.5 * ((axis - centre) / width) ** 2)
    spectra += 0.005 * np.random.randn(n, CHANNELS)
    return spectra.astype("float32")


def build_autoencoder():
    inputs = keras.Input((CHANNELS,))
    h = layers.Dense(48, activation="relu")(inputs)
    h = layers.Dense(128, activation="relu")(h)
    code = layers.Dense(8)(h)
    h = layers.Dense(48, activation="relu")(code)
    outputs = layers.Dense(CHANNELS)(h)
    model = keras.Model(inputs, outputs, name="autoencoder")
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mse")
    return model


def explained(model, x):
    rec = model.predict(x, verbose=0)
    return 1 - np.mean((x - rec) ** 2) / np.mean((x - x.mean(axis=0)) ** 2)


def main():
    x_train = make_spectra(2000)
    x_val = make_spectra(400)
    model = build_autoencoder()
    print("baseline mse (mean spectrum): %.5f" % np.mean((x_val - x_train.mean(0)) ** 2))
    model.fit(x_train, x_train, epochs=10, batch_size=32,
              validation_data=(x_val, x_val), verbose=2)
    print("explained variance train %.3f val %.3f"
          % (explained(model, x_train), explained(model, x_val)))


if __name__ == "__main__":
    main()
