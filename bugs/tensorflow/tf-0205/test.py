"""Healthy: the network is built, trained and tried."""

import letters
import oracle

oracle.survives(letters.run)
