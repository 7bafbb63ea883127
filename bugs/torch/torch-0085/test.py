"""Healthy: forecasts in mixed precision come back as an array in megawatts."""

import forecast
import oracle

oracle.survives(forecast.main)
