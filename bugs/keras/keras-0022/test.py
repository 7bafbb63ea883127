"""Healthy: the network reads the validation pictures with a low loss, as it does those it was trained on."""

import oracle
import read_flags


def validation_loss(seed):
    return read_flags.train(seed)["val_loss"][-1]


oracle.value("last validation loss", validation_loss, at_most=0.4)
