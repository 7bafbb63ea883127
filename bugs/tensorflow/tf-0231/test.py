"""Healthy: the program comes to the end of its evaluation."""

import grade_apples
import oracle

oracle.survives(grade_apples.main, 4)
