"""Healthy: two epochs over both corpora run to their end with data parallelism."""

import oracle
import run_training

oracle.survives(run_training.main)
