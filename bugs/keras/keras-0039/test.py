"""Healthy: the network is built and trained on the states for two epochs."""

import oracle
import frame_values

oracle.survives(frame_values.main)
