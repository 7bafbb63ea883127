"""Removes the noise of the sensors: what does not fit into the code of an autoencoder is lost."""

import keras
import numpy as np

from compression import build_autoencoder
from pump_station import measure, true_values


def train(epochs=40):
    readings = measure(true_values(1000, seed=0), seed=1)
    autoencoder = build_autoencoder()
    history = autoencoder.fit(readings, readings, batch_size=50, epochs=epochs, verbose=0)
    print("loss", " ".join("%.4f" % loss for loss in history.history["loss"][::8]))
    return autoencoder


def rms(difference):
    return float(np.sqrt(np.mean(np.square(difference))))


def main():
    autoencoder = train()
    values = true_values(200, seed=5)
    readings = measure(values, seed=6)
    cleaned = autoencoder.predict(readings, verbose=0)
    print("noise before %.3f, after %.3f" % (rms(readings - values), rms(cleaned - values)))


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    main()
