"""Healthy: the stored network is restored and evaluated."""

import evaluate_stones
import oracle

oracle.survives(evaluate_stones.main)
