"""The index of one commit's tree: for each term the files that have it, field by field; who defines and imports what.

Made from the facts of blobs in one pass and kept as a handful of flat arrays, so that opening it again costs
milliseconds and asking it touches only the terms of the question.
"""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bugloss.localize.index.fact_store import Outline
from bugloss.localize.index.modules import Modules
from bugloss.localize.index.postings import FIELDS, FILE_SHIFT
from bugloss.localize.index.table import NumberTable
from bugloss.localize.index.tokens import count_terms
from bugloss.localize.repository.objects import TreeFile


@dataclass(frozen=True, slots=True)
class TreeIndex:
    """What ranking asks of a tree. Files are numbered in the order of ``paths``."""

    paths: tuple[str, ...]
    blobs: tuple[str, ...]
    lengths: tuple[tuple[int, ...], ...]  # a field, then a file; the last field is all of them
    terms: NumberTable  # packed postings
    path_terms: NumberTable  # the terms of paths: (file, count) pairs
    names: NumberTable  # the bare names of definitions: (file, 1 if a class) pairs
    imports: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """How many files there are."""
        return len(self.paths)

    def postings(self, term: str) -> Sequence[int]:
        """Where a term stands; see ``postings.py``."""
        return self.terms.get(term)

    def document_frequency(self, term: str) -> int:
        """How many files have a term."""
        return self.terms.count(term)

    def average_length(self, field: int) -> float:
        """How many terms a file has in a field."""
        return sum(self.lengths[field]) / max(self.size, 1)

    def to_bytes(self) -> bytes:
        """For keeping."""
        head = json.dumps([self.paths, self.blobs, self.lengths, self.imports]).encode()
        tables = b"".join(table.to_bytes() for table in (self.terms, self.path_terms, self.names))
        return struct.pack("<I", len(head)) + head + tables

    @classmethod
    def from_bytes(cls, data: bytes) -> TreeIndex:
        """What was kept."""
        (size,) = struct.unpack_from("<I", data)
        paths, blobs, lengths, imports = json.loads(data[4 : 4 + size])
        view = memoryview(data)[4 + size :]
        terms, taken = NumberTable.from_bytes(view)
        path_terms, more = NumberTable.from_bytes(view[taken:])
        names, _ = NumberTable.from_bytes(view[taken + more :])
        columns, graph = tuple(map(tuple, lengths)), tuple(map(tuple, imports))
        return cls(tuple(paths), tuple(blobs), columns, terms, path_terms, names, graph)


def build_index(files: Sequence[TreeFile], outlines: Iterable[tuple[str, Outline]]) -> TreeIndex:
    """The index of some files; outlines come in any order, and a file without one has no terms."""
    numbered: dict[str, list[int]] = {}
    for at, file in enumerate(files):
        numbered.setdefault(file.blob, []).append(at)
    postings: dict[str, array[int]] = {}
    names: dict[str, array[int]] = {}
    lengths: dict[int, Sequence[int]] = {}
    imports: dict[int, Sequence[str]] = {}
    for blob, outline in outlines:
        for at in numbered[blob]:
            _add(postings, at, outline)
            lengths[at], imports[at] = outline.lengths, outline.imports
            for name, is_class in outline.names:
                names.setdefault(name.rsplit(".", 1)[-1], array("I")).extend((at, int(is_class)))
    paths = tuple(file.path for file in files)
    blobs = tuple(file.blob for file in files)
    tables = (NumberTable.of(postings, "Q"), NumberTable.of(_path_terms(paths)), NumberTable.of(names))
    return TreeIndex(paths, blobs, _columns(lengths, len(files)), *tables, _graph(paths, imports))


def _add(postings: dict[str, array[int]], at: int, outline: Outline) -> None:
    base = at << FILE_SHIFT
    for term, counts in outline.terms.items():
        stretch = postings.get(term)
        if stretch is None:
            postings[term] = array("Q", (base + counts,))
        else:
            stretch.append(base + counts)


def _columns(lengths: dict[int, Sequence[int]], files: int) -> tuple[tuple[int, ...], ...]:
    nothing = (0,) * len(FIELDS)
    rows = [lengths.get(at, nothing) for at in range(files)]
    fields = [tuple(row[field] for row in rows) for field in range(len(FIELDS))]
    return (*fields, tuple(sum(row) for row in rows))


def _graph(paths: Sequence[str], imports: dict[int, Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    modules = Modules.of(paths)
    return tuple(tuple(sorted(modules.imported(at, imports.get(at, ())))) for at in range(len(paths)))


def _path_terms(paths: Sequence[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, path in enumerate(paths):
        for term, count in count_terms(path.rsplit(".", 1)[0]).items():
            found.setdefault(term, []).extend((at, count))
    return found
