"""Trains the fruit detector and prints where it finds the fruit on new pictures."""

import keras
import numpy as np

from grid_model import build_detector, detection_loss
from orchard import make_pictures


def train(epochs=3):
    pictures, targets = make_pictures(160)
    model = build_detector()
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss=detection_loss)
    model.fit(pictures, targets, batch_size=32, epochs=epochs, verbose=0)
    return model


def main():
    keras.utils.set_random_seed(0)
    model = train()
    pictures, targets = make_pictures(40, seed=1)
    predicted = np.asarray(model(pictures))
    hits = predicted[..., 0].argmax(1) == targets[..., 0].argmax(1)
    print("right cell in %d of %d pictures" % (hits.sum(), len(hits)))


if __name__ == "__main__":
    main()
