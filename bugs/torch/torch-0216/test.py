"""Healthy: the training with three workers goes through."""

import gather_workers
import oracle

oracle.survives(gather_workers.train, 3)
