"""Healthy: the network that was trained on the processor also runs on the device it is moved to."""

import autoencode_strokes
import oracle

oracle.survives(autoencode_strokes.main)
