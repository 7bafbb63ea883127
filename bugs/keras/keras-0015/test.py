"""Healthy: the program fits its networks and prints how well they estimate rents."""

import oracle

import estimate_rents

oracle.survives(estimate_rents.main, oracle.base_seed())
