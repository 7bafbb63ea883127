"""Healthy: the detector runs in single and in half precision."""

import deploy
import oracle

oracle.survives(deploy.main)
