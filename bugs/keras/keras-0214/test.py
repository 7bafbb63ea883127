"""Healthy: the model is trained with batches of four cameras."""

import find_crack
import oracle

oracle.survives(find_crack.main)
