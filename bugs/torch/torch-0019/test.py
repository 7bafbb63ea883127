"""Healthy: a record that somebody plays is usually among the sixteen best for that listener."""

import oracle
import recommend_records

oracle.symptom("top-16 accuracy on held-out plays", recommend_records.main, at_least=0.5, seeds=6)
