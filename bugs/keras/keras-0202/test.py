"""Healthy: the exported arrays name plants as well as the network that was trained."""

import numpy as np

import export_leaf
import leaf_net
import oracle


def accuracy(seed):
    arrays = export_leaf.main(seed)
    x, plant = leaf_net.leaves(400, seed + 77)
    return float(np.mean(export_leaf.device_answer(arrays, x) == plant))


oracle.value("accuracy of the exported arrays", accuracy, at_least=0.9)
