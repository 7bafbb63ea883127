"""Healthy: the classifier is trained and evaluated."""

import oracle
import traffic_signs

oracle.survives(traffic_signs.main, [])
