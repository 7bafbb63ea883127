"""Healthy: the steering model is built from its three branches and trains."""

import oracle
import steering

oracle.survives(steering.main)
