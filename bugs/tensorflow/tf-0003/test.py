"""Healthy: the forecast is built and trained without an error."""

import oracle

import forecast

oracle.survives(forecast.train, oracle.base_seed())
