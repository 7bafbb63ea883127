"""Healthy: the loss on cells that the network has not seen is about as low as on those it has."""

import oracle
import screen_cells

oracle.symptom("test loss after training", screen_cells.main, at_most=1.0, seeds=6)
