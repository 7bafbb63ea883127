"""Healthy: the stored index is read and the sentences are punctuated."""

import oracle
import punctuate

oracle.survives(punctuate.main)
