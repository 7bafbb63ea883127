"""Healthy: the best epoch is stored, loaded and tested."""

import oracle
import train_signs

oracle.survives(train_signs.main)
