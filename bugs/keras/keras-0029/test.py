"""Healthy: validated in inference mode, the network is about as good as in training."""

import brush_strokes
import oracle


def validation_loss(seed):
    return brush_strokes.train(seed)["val_loss"][-1]


oracle.value("last validation loss", validation_loss, at_most=0.4)
