"""Healthy: a good part of new utterances is recognized."""

import oracle
import recognize

oracle.symptom("share of utterances recognized", recognize.main, at_least=0.4, seeds=6)
