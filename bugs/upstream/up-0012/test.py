"""Healthy: the network is made and trained for two epochs with Keras 3."""

import forecast_wave
import oracle

oracle.survives(forecast_wave.main)
