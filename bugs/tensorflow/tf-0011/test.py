"""Healthy: the graph is built and the digits are trained for five epochs."""

import oracle
import segment_digits

oracle.survives(segment_digits.main)
