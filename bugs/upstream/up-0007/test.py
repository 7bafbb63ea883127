"""Healthy: an autoencoder with four codebooks is made and trained for five steps."""

import oracle
import quantize_series

oracle.survives(quantize_series.main)
