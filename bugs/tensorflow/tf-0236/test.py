"""Healthy: the trained sorter is written to disk and answers from there."""

import export_sorter
import oracle

oracle.survives(export_sorter.main, 3)
