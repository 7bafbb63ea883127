"""Healthy: the training loss is a number, and a low one."""

import find_onsets
import oracle

oracle.symptom("training loss of the last epoch", find_onsets.main, at_most=0.3, seeds=6)
