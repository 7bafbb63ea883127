"""Healthy: eight batches of 16 per update train the network like batches of 128."""

import accumulate
import oracle

oracle.symptom("error of accumulated training over that of large batches", accumulate.main, at_most=1.01, seeds=6)
