"""Healthy: the autoencoder is built, trained and asked about normal and worn windows."""

import oracle
import pump_vibration

oracle.survives(pump_vibration.main)
