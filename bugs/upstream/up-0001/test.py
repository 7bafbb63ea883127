"""Healthy: the averaged network normalizes its inputs with the statistics of the data that the model was trained on."""

import average_weights
import oracle


def gap(seed):
    """The largest difference between the running means of the model and those of its average."""
    model, average = average_weights.train()
    return (model[0].running_mean - average.ema_model[0].running_mean).abs().max().item()


oracle.value("largest gap of the running means", gap, at_most=0.5)
