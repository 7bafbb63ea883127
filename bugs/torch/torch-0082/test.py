"""Healthy: all processes have the same weights after training with accumulated gradients."""

import oracle
import train_commands


def difference(seed):
    first, second = (weights for _, weights in train_commands.train(seed=seed, epochs=2, accum_grad=4))
    return (first - second).abs().max().item()


oracle.value("largest difference of a weight between two processes", difference, at_most=1e-5)
