"""Healthy: the U-Net learns in mixed precision to tell cells from the ground."""

import oracle
import segment

oracle.symptom("share of pixels assigned correctly", segment.main, at_least=0.72, seeds=5)
