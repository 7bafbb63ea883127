"""Healthy: the loss on clips of the validation set falls far below that of guessing, which is 1.39."""

import oracle
import recognise_gestures


def last_validation_loss(seed):
    return recognise_gestures.main(seed)[-1]


oracle.symptom("validation loss of the last epoch", last_validation_loss, at_most=0.8, seeds=6)
