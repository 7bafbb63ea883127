"""Healthy: the network sorts most of the pictures it has not seen (guessing finds one in four)."""

import oracle
import sort_laundry

oracle.symptom("held-out accuracy", sort_laundry.main, at_least=0.65, seeds=6)
