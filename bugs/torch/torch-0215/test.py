"""Healthy: the forecast is trained."""

import forecast_rain
import oracle

oracle.survives(forecast_rain.train, 1)
