"""Healthy: the trained network puts most of its trust in the right species of a new flower."""

import name_flowers
import oracle


def cross_entropy(seed):
    model, _, test = name_flowers.train(seed)
    return name_flowers.examine(model, test)[1]


oracle.value("cross-entropy on the test flowers", cross_entropy, at_most=0.38)
