"""The files that an evaluation is published as: results, a CSV behind every plot, and one page."""

from __future__ import annotations

from pathlib import Path

from bugloss.core.codec import encode
from bugloss.core.visible import json_text
from bugloss.evaluate.matrix.grading import Graded, document
from bugloss.evaluate.matrix.store import RESULTS, write_results


def write_report(folder: Path, graded: Graded) -> None:
    """Writes everything that follows from the cells."""
    write_results(folder, RESULTS, json_text(encode({"schema": "bugloss.evaluation/1", **document(graded)}), 1) + "\n")
