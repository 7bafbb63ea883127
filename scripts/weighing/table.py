"""Writes ``observe/weights.toml``: one line a row, as it is kept in the repository."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from bugloss.observe.weights import Weight, read_rows
from weighing.fitting import Weights

TABLE = Path(__file__).resolve().parents[2] / "src" / "bugloss" / "observe" / "weights.toml"
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def write_rows(rows: Iterable[Weight], path: Path = TABLE) -> None:
    """Keeps the comment at the top."""
    head = path.read_text(encoding="utf-8").partition("\n[")[0]
    path.write_text("\n".join([head.rstrip(), *_lines(rows), ""]), encoding="utf-8")


def _lines(rows: Iterable[Weight]) -> Iterator[str]:
    table = ""
    for row in rows:
        if row.table != table:
            table = row.table
            yield f"\n[{table}]"
        name = row.name if _BARE.fullmatch(row.name) else json.dumps(row.name)
        hand = "" if row.value == row.hand else f"hand = {row.hand}, "
        why = json.dumps(row.why, ensure_ascii=False)
        yield f'{name} = {{ value = {row.value}, {hand}from = "{row.source}", why = {why} }}'


def fitted_rows(weights: Weights, slope: float) -> Iterator[Weight]:
    """The rows with fitted values; what the fit did not move is still by hand."""
    for row in read_rows():
        value = slope if (row.table, row.name) == ("shared", "slope") else weights[row.table].clues[row.name]
        yield replace(row, value=value, source="hand" if value == row.hand else "fitted")
