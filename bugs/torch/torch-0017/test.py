"""Healthy: the validation loss after training is no worse than that of a cautious grader."""

import grade_coffee
import oracle

oracle.symptom("validation loss after training", grade_coffee.main, at_most=0.95, seeds=6)
