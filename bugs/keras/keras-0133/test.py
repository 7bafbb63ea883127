"""Healthy: the learned codes find most walkers by a second recording."""

import oracle
import train_gait

oracle.symptom("share of walkers found", train_gait.main, at_least=0.5, seeds=5)
