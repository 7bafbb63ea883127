"""Healthy: after training, refined strokes are on average close to real ones."""

import oracle
import refine

oracle.symptom("distance of the mean strokes", refine.main, at_most=0.3, seeds=5)
