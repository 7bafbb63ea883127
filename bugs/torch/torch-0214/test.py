"""Healthy: the model runs on the device that it was moved to."""

import dry_run
import oracle

oracle.survives(dry_run.dry_run, "meta")
