"""Healthy: most letters of the validation photos are read."""

import oracle
import read_plates

oracle.symptom("validation accuracy", read_plates.main, at_least=0.65, seeds=6)
