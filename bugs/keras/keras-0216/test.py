"""Healthy: the network is trained and evaluated on the table."""

import oracle
import river_level

oracle.survives(river_level.train)
