"""Healthy: new molecules are judged correctly in most cases."""

import oracle
import polarity

oracle.symptom("accuracy on new molecules", polarity.main, at_least=0.82, seeds=6)
