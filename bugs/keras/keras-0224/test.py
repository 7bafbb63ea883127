"""Healthy: the network is built, trained and used."""

import oracle
import recognize

oracle.survives(recognize.main)
