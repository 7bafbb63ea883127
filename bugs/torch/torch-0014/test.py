"""Healthy: most close-ups of the validation part are recognised (guessing finds one in four)."""

import oracle
import tell_fabrics

oracle.symptom("validation accuracy", tell_fabrics.main, at_least=0.6, seeds=6)
