"""Healthy: three steps of training with masked patches."""

import masked_patches
import oracle

oracle.survives(masked_patches.main)
