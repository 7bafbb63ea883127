"""Healthy: the reader is trained on all films."""

import oracle
import read_lips

oracle.survives(read_lips.train, 4)
