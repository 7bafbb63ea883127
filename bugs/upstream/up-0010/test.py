"""Healthy: five steps of a loss with a miner, against a reference set that is larger than the batch."""

import oracle
import reference_loss

oracle.survives(reference_loss.main)
