"""The features of all texts as matrices, made once: hundreds of fits are needed, and each takes a moment then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from bugloss.triage.features import ReportFeatures

GROUPS = ("words", "title", "tags", "clues")
_LEAST = 2  # texts that have a name: what occurs once teaches nothing


@dataclass(frozen=True, slots=True)
class Table:
    """One group: a row a text, a column a name."""

    names: tuple[str, ...]
    counts: Any
    logged: Any  # 1 + log of the counts
    present: Any  # ones


def make_tables(texts: Sequence[ReportFeatures]) -> dict[str, Table]:
    """The tables of all groups."""
    return {group: _table([getattr(text, group) for text in texts]) for group in GROUPS}


def _table(rows: Sequence[Mapping[str, float]]) -> Table:
    seen = Counter(name for row in rows for name in row)
    names = tuple(sorted(name for name, count in seen.items() if count >= _LEAST))
    places = {name: at for at, name in enumerate(names)}
    entries = [
        (at, places[name], count)
        for at, row in enumerate(rows)
        for name, count in row.items()
        if name in places and count
    ]
    at, place, counts = (np.array(column) for column in zip(*entries, strict=True)) if entries else ([], [], [])
    matrix = sparse.csr_matrix((np.array(counts, float), (at, place)), shape=(len(rows), len(names)))
    logged, present = matrix.copy(), matrix.copy()
    logged.data = 1 + np.log(np.maximum(matrix.data, 1e-9))
    present.data = np.ones_like(matrix.data)
    return Table(names, matrix, logged, present)
