"""Trains a network on pictures of single cells and checks it on new ones."""

import keras

from cells import load
from network import build_network


def train(epochs=6):
    network = build_network()
    network.compile(
        optimizer=keras.optimizers.Adam(0.003),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    images, kinds = load(1000, seed=1)
    history = network.fit(images, kinds, batch_size=40, epochs=epochs, validation_split=0.2, verbose=0)
    for name in ("accuracy", "val_accuracy"):
        print(name.ljust(12), " ".join("%.2f" % value for value in history.history[name]))
    return network


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    network = train()
    network.summary()
    print("new pictures: loss %.2f, accuracy %.2f" % tuple(network.evaluate(*load(400, seed=2), verbose=0)))
