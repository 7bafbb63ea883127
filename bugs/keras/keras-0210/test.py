"""Healthy: the network is built, trained and evaluated."""

import oracle
import ticket_router

oracle.survives(ticket_router.main)
