"""Healthy: ten epochs are enough for a low loss on the training leaves."""

import oracle
import spot_leaves

oracle.symptom("training loss of the last epoch", spot_leaves.main, at_most=0.5, seeds=6)
