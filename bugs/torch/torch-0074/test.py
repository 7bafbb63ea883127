"""Healthy: the student's probabilities are close to the teacher's on new pixels."""

import distill
import oracle

oracle.symptom("mean divergence from the teacher", distill.main, at_most=0.45, seeds=6)
