"""Healthy: most patterns of another shift are assigned to the right machine state."""

import half_training
import oracle

oracle.symptom("accuracy on new patterns", half_training.main, at_least=0.7, seeds=5)
