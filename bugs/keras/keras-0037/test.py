"""Healthy: the validation loss at the end of training is close to its lowest value."""

import oracle
import question_reader


def last_validation_loss(seed):
    return question_reader.train(seed)["val_loss"][-1]


oracle.value("validation loss of the last epoch", last_validation_loss, at_most=1.05)
