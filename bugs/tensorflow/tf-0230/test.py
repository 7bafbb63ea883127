"""Healthy: the network is trained to the end on all shells."""

import oracle
import sort_shells

oracle.survives(sort_shells.main, 1)
