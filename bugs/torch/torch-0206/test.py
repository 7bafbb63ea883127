"""Healthy: the network is built and trained."""

import mobile_head
import oracle

oracle.survives(mobile_head.train)
