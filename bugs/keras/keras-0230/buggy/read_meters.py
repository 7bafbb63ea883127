"""Reads the digits of electricity meters."""

import keras

from classifier import build
from meter_digits import load


def train(epochs=10):
    images, digits = load(1500, seed=11)
    network = build(images.shape[1])
    history = network.fit(images, digits, batch_size=50, epochs=epochs, verbose=0)
    for epoch, accuracy in enumerate(history.history["accuracy"], start=1):
        print("epoch %2d: accuracy %.3f" % (epoch, accuracy))
    return network


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    network = train()
    print("new photographs: loss %.3f, accuracy %.3f" % tuple(network.evaluate(*load(500, seed=12), verbose=0)))
