"""Healthy: the network with two outputs trains and reports its history."""

import mineral_net
import oracle

oracle.survives(mineral_net.main)
