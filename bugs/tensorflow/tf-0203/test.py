"""Healthy: all epochs are trained."""

import heating
import oracle

oracle.survives(heating.train, heating.loss)
