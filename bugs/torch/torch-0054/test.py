"""Healthy: the enhancer is trained for three epochs."""

import enhance
import oracle

oracle.survives(enhance.train)
