"""Healthy: the network is trained to its end."""

import oracle
import tide

oracle.survives(tide.fit)
