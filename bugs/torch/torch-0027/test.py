"""Healthy: the training loss is a number, and about as low as the noise in the counts allows."""

import count_bicycles
import oracle

oracle.symptom("training loss of the last epoch", count_bicycles.main, at_most=1.6, seeds=6)
