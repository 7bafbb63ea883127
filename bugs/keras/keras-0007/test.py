"""Healthy: the autoencoder trains on generated batches and the errors are printed."""

import oracle
import denoise_signals

oracle.survives(denoise_signals.main)
