"""Healthy: after training, the model tells rain from no rain on readings it has not seen."""

import oracle
import predict_rain

oracle.symptom("held-out accuracy", predict_rain.main, at_least=0.84, seeds=6)
