"""Healthy: the screening model trains on one table and is evaluated on the other."""

import oracle
import sample_screening

oracle.survives(sample_screening.main)
