"""Healthy: after eight epochs the network marks most of the cells in new images."""

import oracle
import train

oracle.symptom("validation Dice score", train.main, at_least=0.8, seeds=6)
