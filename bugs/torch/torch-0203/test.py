"""Healthy: the network is trained on names of different lengths."""

import name_origin
import oracle

oracle.survives(name_origin.train, 4, oracle.base_seed())
