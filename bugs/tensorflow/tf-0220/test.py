"""Healthy: the forecast is trained on both devices to the end."""

import forecast_load
import oracle

oracle.survives(forecast_load.main)
