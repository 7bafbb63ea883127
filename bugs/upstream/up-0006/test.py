"""Healthy: a forward pass in bfloat16."""

import oracle
import pool_features

oracle.survives(pool_features.main)
