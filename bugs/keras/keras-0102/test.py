"""Healthy: the network with complex layers is built, trained and evaluated."""

import oracle
import tone_finder

oracle.survives(tone_finder.main)
