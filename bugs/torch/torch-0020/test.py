"""Healthy: cells that the network has not seen are told apart about as well as those it has."""

import oracle
import screen_cells

oracle.symptom("test accuracy", screen_cells.main, at_least=0.8, seeds=6)
