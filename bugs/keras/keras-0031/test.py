"""Healthy: eight epochs are enough to bring the loss on the validation pictures down."""

import oracle
import parcel_signs


def validation_loss(seed):
    return parcel_signs.train(seed).history["val_loss"][-1]


oracle.value("validation loss of the eighth epoch", validation_loss, at_most=0.4)
