"""Healthy: the relation of new pairs is found in clearly more cases than a linear guess would."""

import entail
import oracle

oracle.symptom("accuracy on new pairs", entail.main, at_least=0.75, seeds=6)
