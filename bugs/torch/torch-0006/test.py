"""Healthy: the program trains on its recordings and reports its accuracy on new ones."""

import detect_arrhythmia
import oracle

oracle.survives(detect_arrhythmia.main)
