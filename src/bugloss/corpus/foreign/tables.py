"""Rows of facts in somebody else's table: JSON, JSON lines, CSV, XML or Parquet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput, MissingExtra
from bugloss.core.foreign_file import read_bytes, read_text
from bugloss.core.json_lines import read_lines
from bugloss.corpus.foreign.contract import LARGEST_FILE, MOST_BUGS

ENDINGS = (".jsonl", ".json", ".csv", ".xml", ".parquet")
_HINT = "Each line must be one JSON object."
_LARGEST_CELL = 10_000_000


def rows_of(root: Path, name: str) -> Iterator[Mapping[str, object]]:
    """The rows of one table; a value that is not text stays as it is."""
    if name.endswith(".parquet"):
        yield from _parquet(root, name)
        return
    text = read_text(root, name, LARGEST_FILE)
    try:
        if name.endswith(".jsonl"):
            yield from read_lines(root / name, text.splitlines(), _row, "row", _HINT)
        elif name.endswith(".json"):
            value = parse_json(text)
            found = list(value.values()) if isinstance(value, dict) and "instance_id" not in value else value
            yield from (_row(row, 0) for row in (found if isinstance(found, list) else [found]))
        elif name.endswith(".csv"):
            csv.field_size_limit(_LARGEST_CELL)
            yield from csv.DictReader(io.StringIO(text))
        else:
            yield from _xml(text)
    except (ValueError, TypeError, csv.Error, ElementTree.ParseError) as error:
        raise InvalidInput(f"{root / name} cannot be read as a table: {error}.") from error


def _row(value: object, number: int) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise TypeError(f"a row must be an object, not {type(value).__name__}")
    return value


def _xml(text: str) -> Iterator[Mapping[str, object]]:
    """Elements whose children are leaves, as in a database dump: one row each, attributes included."""
    if re.search(r"<!(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise ValueError("it declares a document type, whose entities could expand without end")
    for place, element in enumerate(ElementTree.fromstring(text).iter()):
        if place > 50 * MOST_BUGS:
            return
        leaves = {child.tag: (child.text or "").strip() for child in element if not len(child)}
        if leaves or element.attrib:
            yield {**element.attrib, **leaves}


def _parquet(root: Path, name: str) -> Iterator[Mapping[str, object]]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("parquet", "reading Parquet") from error
    try:
        table = parquet.ParquetFile(io.BytesIO(read_bytes(root, name, LARGEST_FILE)))
        for batch in table.iter_batches(batch_size=256):
            yield from batch.to_pylist()
    except pyarrow.ArrowException as error:
        raise InvalidInput(f"{root / name} cannot be read as Parquet: {error}.") from error
