"""Healthy: tiles of all three sizes are trained on."""

import map_roads
import oracle

oracle.survives(map_roads.train)
