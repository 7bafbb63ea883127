"""Sentence embeddings of issues, for teaching only; kept in a file, because they take minutes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bugloss.core.report import Report

_LONGEST = 1200


def embed(reports: Sequence[Report], kept: Path) -> Any:
    """Title and beginning of each report as one vector."""
    if kept.is_file():
        stored = np.load(kept)
        if len(stored) == len(reports):
            return stored
    from bugloss.triage.dlrepro import load_encoder

    encode = load_encoder()
    titles = np.array(encode([report.title for report in reports]), dtype="float32")
    texts = np.array(encode([f"{report.title}. {report.body[:_LONGEST]}" for report in reports]), dtype="float32")
    vectors = np.hstack([texts, titles])
    np.save(kept, vectors)
    return vectors
