"""Healthy: a training is interrupted after three iterations and resumed."""

import oracle
import pretrain

oracle.survives(pretrain.main)
