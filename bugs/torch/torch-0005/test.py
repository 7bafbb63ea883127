"""Healthy: new readings are off by clearly less than the levels differ among each other."""

import look_up_levels
import oracle

oracle.symptom("relative error on new readings", look_up_levels.run, at_most=0.55, seeds=6)
