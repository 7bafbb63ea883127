"""Generator and discriminator for points in the plane."""

from keras.layers import Dense, LeakyReLU
from keras.models import Sequential

NOISE = 4


def generator():
    return Sequential([
        Dense(16, input_shape=(NOISE,)), LeakyReLU(0.2),
        Dense(16), LeakyReLU(0.2),
        Dense(2),
    ], name="generator")


def discriminator():
    return Sequential([
        Dense(16, input_shape=(2,)), LeakyReLU(0.2),
        Dense(16), LeakyReLU(0.2),
        Dense(1, activation="sigmoid"),
    ], name="discriminator")


def make_trainable(network, value):
    network.trainable = value
    for layer in network.layers:
        layer.trainable = value
