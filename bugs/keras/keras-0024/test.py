"""Healthy: the validation loss settles at a low value instead of running away from the training loss."""

import bearing_wear
import oracle


def validation_loss(seed):
    return sum(bearing_wear.train(seed)["val_loss"][-3:]) / 3


oracle.value("mean validation loss of the last three epochs", validation_loss, at_most=0.42)
