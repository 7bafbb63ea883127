"""Healthy: the graph is built and trained."""

import oracle
import wave_gan

oracle.survives(wave_gan.main)
