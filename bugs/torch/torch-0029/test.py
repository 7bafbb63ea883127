"""Healthy: the loss falls clearly below 0.325, where a model ends up that ignores the card."""

import oracle
import tag_postcards

oracle.symptom("training loss of the last epoch", tag_postcards.main, at_most=0.15, seeds=6)
