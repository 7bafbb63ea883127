"""Healthy: every request gets its answer."""

import oracle

import serve

oracle.survives(serve.main)
