"""Healthy: orders with padding are read and the network is trained for two epochs."""

import oracle
import order_tags

oracle.survives(order_tags.main)
