"""Healthy: sixty pieces of the wave are read one after the other."""

import follow_wave
import oracle

oracle.survives(follow_wave.main)
