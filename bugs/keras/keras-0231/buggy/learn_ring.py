"""Trains the network on points of a ring and shows what it makes."""

import keras
import numpy as np

from gan import GAN
from ring import sample


def train(epochs=3):
    gan = GAN()
    gan.compile()
    gan.fit(sample(640, seed=0), batch_size=32, epochs=epochs, verbose=0)
    return gan


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    gan = train()
    for call in range(3):
        print("call %d\n%s" % (call, np.round(np.asarray(gan.generate(3)), 3)))
