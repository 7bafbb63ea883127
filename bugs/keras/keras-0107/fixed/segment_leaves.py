"""Learns to mark the diseased spots of leaves."""

import keras
import numpy as np

from leaf_scans import load_scans
from spot_unet import build_unet


def prepare(images):
    """Brings a stack of images into the form that the network works on."""
    rows, columns = -images.shape[1] % 8, -images.shape[2] % 8
    return np.pad(np.asarray(images, "float32"), [(0, 0), (0, rows), (0, columns), (0, 0)])


def train(epochs=2):
    scans, masks = (prepare(images) for images in load_scans(48))
    model = build_unet(scans.shape[1:])
    model.compile(optimizer=keras.optimizers.Adam(0.005), loss="binary_crossentropy")
    model.fit(scans, masks, batch_size=16, epochs=epochs, verbose=0)
    return model


def spot_area(model, scans):
    """Number of diseased pixels of every scan."""
    return model.predict(prepare(scans), verbose=0).sum(axis=(1, 2, 3))


def main():
    keras.utils.set_random_seed(0)
    model = train()
    scans, masks = load_scans(16, seed=1)
    print("pixels in spots: %.0f, drawn: %.0f" % (spot_area(model, scans).sum(), masks.sum()))


if __name__ == "__main__":
    main()
