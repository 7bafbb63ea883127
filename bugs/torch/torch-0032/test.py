"""Healthy: the level is predicted for three epochs and the mean loss of each is returned."""

import oracle
import water_level

oracle.survives(water_level.main)
