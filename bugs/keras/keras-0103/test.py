"""Healthy: training runs, and the weights of the best epoch are written and read back."""

import denoise
import oracle

oracle.survives(denoise.main)
