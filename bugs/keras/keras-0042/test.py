"""Healthy: the network is built and reads the pieces of all pumps twice."""

import oracle
import pump_state

oracle.survives(pump_state.main)
