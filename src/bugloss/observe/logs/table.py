"""Tables of a training: the CSV files of Keras and Lightning, exported W&B histories, JSON lines."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping

from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput
from bugloss.observe.logs.curves import LARGEST_STEP, OWN_STEPS, CurveCollector, number_of

LARGEST_TABLE = 500_000_000  # bytes
_LOG = "log_history"  # of trainer_state.json
_STEPS = ("step", "iteration", "iter", *OWN_STEPS)


def read_csv(text: str, name: str, into: CurveCollector) -> None:
    """A table with a header; the column ``step``, else ``epoch``, else the number of the row is the axis."""
    rows = csv.DictReader(text.splitlines(), restkey="", skipinitialspace=True)
    try:
        columns = [column.strip() for column in rows.fieldnames or ()]
        rows.fieldnames = columns
        _read_rows(rows, columns, into)
    except csv.Error as error:
        raise InvalidInput(f"{name} is not a CSV table: {error}.") from error


def read_json_lines(text: str, name: str, into: CurveCollector) -> None:
    """One object a line, or one document: a list of them, as Hugging Face's ``trainer_state.json`` has in its log."""
    rows, bad = [], 0
    for line in text.splitlines():
        try:
            row = parse_json(line)
        except ValueError:
            bad += bool(line.strip())
            continue
        if isinstance(row, Mapping):
            rows.append(row)
    if (bad and not rows) or (len(rows) == 1 and _LOG in rows[0]):
        rows, bad = _document(text, name), 0
    if bad:
        into.note(f"{bad:,} lines of {name} could not be read")
    _read_rows(rows, [str(key) for row in rows[:1000] for key in row], into)


def _document(text: str, name: str) -> list[Mapping[str, object]]:
    try:
        document = parse_json(text)
    except ValueError as error:
        raise InvalidInput(f"{name} is neither JSON nor JSON lines: {error}.") from error
    if isinstance(document, Mapping):
        document = document.get(_LOG, ())
    return [row for row in document if isinstance(row, Mapping)] if isinstance(document, list) else []


def _read_rows(rows: Iterable[Mapping[str, object]], columns: Iterable[str], into: CurveCollector) -> None:
    known = frozenset(columns)
    axis = next((name for name in (*_STEPS, "epoch") if name in known), "")
    last = 0
    for number, values in enumerate(rows):
        row = dict(_numbers(values))
        at = row.get(axis, float(last if axis else number))
        last = int(at) if 0 <= at < LARGEST_STEP else number
        into.add_row({name: value for name, value in row.items() if name not in _STEPS}, last)
        if into.full:
            return


def _numbers(values: Mapping[str, object]) -> Iterator[tuple[str, float]]:
    for name, value in values.items():
        number = number_of(value)
        if number is not None and name:
            yield name, number
