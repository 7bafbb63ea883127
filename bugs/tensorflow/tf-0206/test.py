"""Healthy: the network that is trained also recognises new gestures."""

import gestures
import oracle

oracle.symptom("validation accuracy", gestures.run, at_least=0.8, seeds=6)
