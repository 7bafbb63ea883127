"""Sorts photographs of parcels by the brightness and texture of their wrapping."""

import keras

from camera import WRAPPINGS, photograph_parcels
from preparation import prepare
from wrapping_net import build_net


def train(seed=0, epochs=10):
    keras.utils.set_random_seed(seed)
    photographs, wrappings = photograph_parcels(240, seed)
    net = build_net(len(WRAPPINGS))
    net.compile(
        optimizer=keras.optimizers.Adam(1e-2),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    net.fit(prepare(photographs), wrappings, batch_size=24, epochs=epochs, verbose=0)
    return net


def accuracy(net, seed):
    photographs, wrappings = photograph_parcels(150, seed)
    return net.evaluate(prepare(photographs), wrappings, verbose=0)[1]


def main():
    net = train()
    print("parcels that are sorted right: %.2f" % accuracy(net, seed=1))


if __name__ == "__main__":
    main()
