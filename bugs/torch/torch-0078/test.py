"""Healthy: 33 tiles are tested in batches of eight."""

import inspect_tiles
import oracle

oracle.survives(inspect_tiles.main)
