"""Finds wafers with scratches."""

import keras
from keras import layers

from wafers import SIDE, load


def build_network(filters=16, kernel=5):
    network = keras.Sequential(
        [
            keras.Input(shape=(SIDE, SIDE, 1)),
            layers.Conv2D(filters, kernel, activation="relu", kernel_initializer="he_normal"),
            layers.GlobalMaxPooling2D(),
            layers.Dense(25, activation="relu", kernel_initializer="he_normal"),
            layers.Dense(2, activation="softmax"),
        ]
    )
    network.compile(
        optimizer=keras.optimizers.Adam(0.005),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return network


def train(epochs=8):
    network = build_network()
    photographs, bad = load(600, seed=1)
    history = network.fit(photographs, bad, batch_size=30, epochs=epochs, validation_split=0.2, verbose=0)
    for epoch in range(epochs):
        print("loss %.3f, acc %.3f, val_loss %.3f, val_acc %.3f" % tuple(
            history.history[name][epoch] for name in ("loss", "accuracy", "val_loss", "val_accuracy")
        ))
    return network


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    network = train()
    print("new wafers: loss %.3f, accuracy %.3f" % tuple(network.evaluate(*load(300, seed=2), verbose=0)))
