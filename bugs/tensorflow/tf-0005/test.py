"""Healthy: the script trains, counts its mistakes on held-out images and comes to its end."""

import oracle
import sort_shapes

oracle.survives(sort_shapes.main)
