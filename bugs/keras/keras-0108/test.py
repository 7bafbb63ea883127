"""Healthy: the network is trained with the loss for overlaps and scored on new tiles."""

import find_roofs
import oracle

oracle.survives(find_roofs.main)
