"""Healthy: the network recognises tiles wherever the photograph begins, also in the validation set."""

import mosaic_tiles
import oracle


def validation_loss(seed):
    return mosaic_tiles.train(seed).history["val_loss"][-1]


oracle.value("last validation loss", validation_loss, at_most=0.6)
