"""Healthy: most callers are judged correctly."""

import dialogue
import oracle

oracle.symptom("share judged correctly", dialogue.main, at_least=0.75, seeds=6)
