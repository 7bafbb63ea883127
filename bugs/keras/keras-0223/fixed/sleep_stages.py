"""Trains a network on recordings and tells the sleep stage of new ones."""

import keras
import numpy as np

from recordings import load
from stage_network import build_network


def train(epochs=6):
    network = build_network()
    history = network.fit(*load(480, seed=3), batch_size=32, epochs=epochs, verbose=0)
    print("loss", " ".join("%.3f" % loss for loss in history.history["loss"]))
    return network


def accuracy(network, signals, stage):
    return float(np.mean(network.predict(signals, verbose=0).argmax(axis=-1) == stage))


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    network = train()
    print("accuracy: training %.2f, new %.2f" % (accuracy(network, *load(480, 3)), accuracy(network, *load(300, 4))))
