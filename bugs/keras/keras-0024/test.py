"""Healthy: the validation loss settles near its lowest value instead of moving away from it."""

import bearing_wear
import oracle


def rise(seed):
    losses = bearing_wear.train(seed)["val_loss"]
    return sum(losses[-3:]) / 3 / min(losses)


oracle.value("last three validation losses divided by the lowest", rise, at_most=1.5)
