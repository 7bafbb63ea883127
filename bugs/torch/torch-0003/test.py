"""Healthy: the program trains on its pictures and reports how many it recognises."""

import classify_shapes
import oracle

oracle.survives(classify_shapes.main)
