"""Healthy: the network is at its best, or close to it, when training ends."""

import diagnose_bearings
import oracle

oracle.symptom("held-out accuracy after training", diagnose_bearings.main, at_least=0.85, seeds=6)
