"""Healthy: at the end of training the validation loss is still close to the lowest value it had."""

import drug_response
import oracle


def rise(seed):
    losses = drug_response.train(seed)["val_loss"]
    return losses[-1] / min(losses)


oracle.value("last validation loss divided by the lowest", rise, at_most=1.5)
