"""Healthy: the grader is trained and evaluated."""

import grade_apples
import oracle

oracle.survives(grade_apples.main)
