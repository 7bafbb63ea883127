"""Trains the U-Net on cell cultures in mixed precision and measures the overlap on new ones."""

import keras
import numpy as np

from cells import SIDE, make_cultures
from small_unet import build_unet


def train(epochs=9, batch_size=32):
    keras.mixed_precision.set_global_policy("mixed_float16")
    pictures, masks = make_cultures(160, seed=1)
    model = build_unet(SIDE)
    model.compile(optimizer=keras.optimizers.Adam(0.01))
    history = model.fit(pictures, masks, batch_size=batch_size, epochs=epochs, verbose=0)
    print("loss", " ".join("%.4f" % loss for loss in history.history["loss"]))
    return model


def main(seed=0):
    """The share of pixels that are assigned correctly in new pictures."""
    model = train()
    pictures, masks = make_cultures(16, seed=2)
    right = (np.asarray(model(pictures)) > 0.5) == (masks > 0.5)
    print("pixels right: %.3f" % right.mean())
    return float(right.mean())


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    main()
