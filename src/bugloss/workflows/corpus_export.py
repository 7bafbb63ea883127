"""All bugs of a corpus in one folder: a data set of JSON lines or Parquet with its card, or SWE-bench tasks."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from bugloss import __version__
from bugloss.core.bug import BugKind
from bugloss.core.documents import parse_toml
from bugloss.core.errors import InvalidInput, MissingExtra
from bugloss.core.foreign_file import read_text
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside
from bugloss.corpus.collection import Corpus
from bugloss.corpus.dataset import CorpusFacts, card, row_of
from bugloss.corpus.entry import Entry
from bugloss.corpus.swebench import instance_of, repository_files, task_files, why_not

_FILES = {BugKind.REAL: "bugs", BugKind.SYNTHETIC: "synthetic"}  # kinds are never in one file
_OF_A_REPOSITORY = "its sources are a public repository; bugloss checkout lays them out"


@dataclass(frozen=True, slots=True)
class CorpusExport:
    """What was written, and which bugs were left out, why."""

    bugs: int
    files: tuple[str, ...]
    left_out: Mapping[str, str]


def export_all(corpus: Corpus, entries: Sequence[Entry], format: str, folder: Path) -> CorpusExport:
    """Writes all of these bugs into a new or empty folder."""
    formats: Mapping[str, Callable[[Corpus, Sequence[Entry]], tuple[dict[str, bytes], dict[str, str]]]] = {
        "jsonl": lambda corpus, entries: _data_set(corpus, entries, "jsonl", _json_lines),
        "parquet": lambda corpus, entries: _data_set(corpus, entries, "parquet", _parquet),
        "swebench": _swebench,
    }
    if format not in formats:
        hint = f"Known for --all: {', '.join(formats)}."
        raise InvalidInput(f"all bugs cannot be exported as '{format}'.", hint=hint)
    if not entries:
        raise InvalidInput("no bug was selected.", hint="List the bugs: bugloss list")
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise InvalidInput(f"{folder} exists and is not an empty folder.", hint="Choose another folder with -o.")
    content, left_out = formats[format](corpus, entries)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, part in content.items():
            write_inside(folder, name, part)
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be written: {error.strerror}.") from error
    return CorpusExport(len(entries) - len(left_out), tuple(sorted(content)), left_out)


def _data_set(
    corpus: Corpus, entries: Sequence[Entry], ending: str, pack: Callable[[list[dict[str, object]]], bytes]
) -> tuple[dict[str, bytes], dict[str, str]]:
    content: dict[str, bytes] = {}
    names: dict[BugKind, str] = {}
    kept: list[Entry] = []
    left_out = {entry.id: _OF_A_REPOSITORY for entry in entries if entry.bug.kind not in _FILES}
    for kind, stem in _FILES.items():
        rows = []
        for entry in entries:
            if entry.bug.kind is kind:
                try:
                    rows.append(row_of(entry))
                    kept.append(entry)
                except (InvalidInput, UnicodeDecodeError) as error:
                    left_out[entry.id] = getattr(error, "message", "a program is not UTF-8 text")
        if rows:
            names[kind] = f"{stem}.{ending}"
            content[names[kind]] = pack(rows)
    content["README.md"] = card(kept, _facts(corpus), names).encode()
    content["oracle.py"] = (files("bugloss.probes") / "oracle.py").read_bytes()
    return content, left_out


def _facts(corpus: Corpus) -> CorpusFacts:
    try:
        stated = parse_toml(read_text(corpus.root, "corpus.toml"))
    except ValueError as error:
        raise InvalidInput(f"{corpus.root / 'corpus.toml'} cannot be read: {error}.") from error
    return CorpusFacts(str(stated.get("name", "bugs")), str(stated.get("licence", "not stated")), __version__)


def _json_lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(f"{json_text(row)}\n" for row in rows).encode()


def _parquet(rows: list[dict[str, object]]) -> bytes:
    """One row group with the types of the first rows; a column that is empty everywhere is a column of null."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("parquet", "writing Parquet") from error
    table: Any = pyarrow.Table.from_pylist(rows)
    target = io.BytesIO()
    parquet.write_table(table, target, compression="zstd")
    return target.getvalue()


def _swebench(corpus: Corpus, entries: Sequence[Entry]) -> tuple[dict[str, bytes], dict[str, str]]:
    """A task repository of SWE-bench 5, and the same instances as JSON lines."""
    left_out = {entry.id: reason for entry in entries if (reason := why_not(entry)) is not None}
    chosen = [entry for entry in entries if entry.id not in left_out]
    content: dict[str, bytes] = {}
    for entry in chosen:
        name = f"tasks/bugloss__{entry.id}"
        content |= {f"{name}/{file}": part for file, part in task_files(entry).items()}
    for kind, stem in _FILES.items():
        rows = [instance_of(entry) for entry in chosen if entry.bug.kind is kind]
        if rows:
            content[f"{stem}.jsonl"] = _json_lines(rows)
    counts = {kind.value: sum(entry.bug.kind is kind for entry in chosen) for kind in _FILES}
    content["sweb.yaml"] = repository_files(counts).encode()
    readme = (files("bugloss.corpus") / "swebench_readme.md.txt").read_text(encoding="utf-8")
    missing = "".join(f"- {bug}: {reason}\n" for bug, reason in left_out.items()) or "None.\n"
    content["README.md"] = readme.format(bugs=len(chosen), version=__version__, missing=missing).encode()
    return content, left_out
