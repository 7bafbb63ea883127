"""Healthy: the loss on letters of the development set is low when training ends."""

import oracle
import sort_letters

oracle.symptom("development loss after training", sort_letters.main, at_most=0.85, seeds=6)
