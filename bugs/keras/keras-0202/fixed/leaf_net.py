"""The network that names a plant by its leaf, and its training."""

import numpy as np
from keras.layers import Dense
from keras.models import Sequential

PLANTS = ("oak", "beech", "maple")


def leaves(count, seed):
    rng = np.random.RandomState(seed)
    plant = rng.randint(3, size=count)
    middle = np.array([[8, 4, 7, 1, 2], [6, 4, 1, 3, 2], [9, 9, 5, 2, 6]], dtype="float32")
    return middle[plant] / 5 - 1 + rng.normal(0, 0.15, (count, 5)), plant


def build_network():
    return Sequential([Dense(12, activation="relu", input_shape=(5,)), Dense(3, activation="softmax")])


def train(path, seed=0):
    network = build_network()
    network.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    x, plant = leaves(300, seed)
    network.fit(x, plant, epochs=30, batch_size=16, verbose=0)
    network.save_weights(path)
    return network.evaluate(x, plant, verbose=0)[1]
