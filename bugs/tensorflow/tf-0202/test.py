"""Healthy: the training gets its rows and comes to its end."""

import oracle

import read_queue

oracle.survives(read_queue.main, 100)
