"""A live notebook as one program: the cells that were executed, in their order, as a notebook that rooms can read.

Exceptions are explained without writing anything; a watched cell becomes a recorded run that contains the notebook.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from bugloss.adapters.live_exception import ExceptionReader
from bugloss.adapters.watching import Watch, WatchedProgram
from bugloss.core.cause import Cause, CellPlace, Location, SolvedBug
from bugloss.core.codec import decode
from bugloss.core.diagnosis import Diagnosis, Ending, Site
from bugloss.core.documents import parse_json
from bugloss.core.errors import BuglossError, FileRefused
from bugloss.core.failed_plugin import log_failure
from bugloss.core.foreign_file import read_text
from bugloss.core.run import Outcome
from bugloss.observe.crash.scene import look_at
from bugloss.observe.crash_event import Crash
from bugloss.observe.recording import Recording
from bugloss.observe.sources import Sources
from bugloss.record.runs import EVENTS, RunFolder
from bugloss.source.text.source_file import SourceFile, parse_notebook
from bugloss.workflows.crash_causes import causes_of_crash
from bugloss.workflows.diagnosis import Examined, examine
from bugloss.workflows.run_seal import seal

NAME = "notebook.ipynb"
MAGIC = "%%bugloss"
_DEEPEST = 20  # of an event; no event of ours nests deeper
CellOfFile = Callable[[str], int | None]  # the number of the cell that a file name of the kernel stands for


@dataclass(frozen=True, slots=True)
class ExplainedException:
    """What is known of an exception of a cell, and the program that it is about."""

    diagnosis: Diagnosis
    read: Callable[[str], str | None]
    cells: tuple[CellPlace, ...]


@dataclass(frozen=True)
class SessionProgram:
    """The executed cells at one moment. The number of a cell is its place, so empty cells count."""

    texts: tuple[str, ...]

    @cached_property
    def document(self) -> str:
        """As a notebook file."""
        cells = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in self.texts]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    @cached_property
    def source(self) -> SourceFile | None:
        found = parse_notebook(self.document.encode(), NAME)
        return found if isinstance(found, SourceFile) else None

    @cached_property
    def lines(self) -> Mapping[tuple[int, int], int]:
        """The line of the joined program for a line of a cell."""
        places = self.source.cells if self.source is not None else ()
        return {place: number for number, place in enumerate(places, 1)}

    def place(self, cell: int, line: int) -> int | None:
        return self.lines.get((cell, line))


@dataclass
class NotebookSession:
    """Follows the cells of a kernel; ``cell_of`` knows the names that the kernel gives to their code."""

    cell_of: CellOfFile
    texts: dict[int, str] = field(default_factory=dict)
    _by_identity: dict[str, int] = field(default_factory=dict)

    def executed(self, number: int, text: str, identity: str | None = None) -> None:
        """A cell ran; an earlier version of the same cell is no longer part of the program."""
        if identity and (before := self._by_identity.get(identity)) is not None and before != number:
            self.texts.pop(before, None)
        if identity:
            self._by_identity[identity] = number
        self.texts[number] = _plain(text)

    @property
    def program(self) -> SessionProgram:
        last = max(self.texts, default=0)
        return SessionProgram(tuple(self.texts.get(number, "") for number in range(1, last + 1)))

    @cached_property
    def _exceptions(self) -> ExceptionReader:
        return ExceptionReader(Path.cwd())

    def explain(self, error: BaseException) -> ExplainedException:
        """Why a cell raised, and solved bugs that are similar."""
        program = self.program
        report = self._exceptions.read(error, _from_cells(error.__traceback__, self.cell_of))
        found = decode(Crash, _relabelled(report, program, self.cell_of))
        sources = Sources(_reader(program), (NAME,))
        causes = causes_of_crash(Recording(crash=found), sources, (), {}, log_failure)
        cells = _cells(program)
        site = _site(found, sources, cells)
        kind = found.exception.qualified.removeprefix("builtins.") or found.exception.kind
        ending = Ending(Outcome.RAISED, None, None, kind, found.exception.message, site)
        named = tuple(_in_cells(cause, cells) for cause in causes)
        return ExplainedException(Diagnosis("", ending, (), named, (), _similar(found)), sources.read, cells)

    def watch(self, budget: float, properties: bool) -> Watch:
        """Watches what trains until it is stopped."""
        folder = Path.cwd()
        program = WatchedProgram(folder / NAME, folder, None, lambda facts: facts)
        return Watch(budget=budget, properties=properties, tell=lambda folder: None, program=program)

    def examine(self, folder: RunFolder) -> Examined:
        """Diagnoses a watched cell; the notebook as it was is kept in the run."""
        program = self.program
        events = read_text(folder.path, EVENTS, 2**30, errors="replace").splitlines()
        folder.write_text(EVENTS, "".join(f"{_relabelled_line(line, program, self.cell_of)}\n" for line in events))
        folder.write_text(NAME, program.document)
        place = _typed(folder.path / NAME)
        facts = replace(folder.facts(), script=place, folder=str(folder.path.resolve()), arguments=())
        folder.write_facts(seal(facts))
        return examine(folder)


def _typed(path: Path) -> str:
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return str(path)


def _plain(text: str) -> str:
    """The cell without our own magic, line for line."""
    return f"# {text.lstrip()}" if text.lstrip().startswith(MAGIC) else text


def _from_cells(trace: Any, cell_of: CellOfFile) -> Any:
    """The traceback from the first cell on: before it are only frames of the kernel."""
    point = trace
    while point is not None and cell_of(point.tb_frame.f_code.co_filename) is None:
        point = point.tb_next
    return point if point is not None else trace


def _relabelled_line(line: str, program: SessionProgram, cell_of: CellOfFile) -> str:
    """An event; a torn one as it is, because who reads the recording counts those."""
    try:
        return json.dumps(_relabelled(parse_json(line), program, cell_of))
    except ValueError:
        return line


def _relabelled(value: Any, program: SessionProgram, cell_of: CellOfFile, depth: int = 0) -> Any:
    """Places in cells as places in the program; everything else as it is."""
    if depth > _DEEPEST or not isinstance(value, dict | list | tuple):
        return value
    if not isinstance(value, dict):
        return [_relabelled(item, program, cell_of, depth + 1) for item in value]
    path, line = value.get("path"), value.get("line")
    if isinstance(path, str) and isinstance(line, int) and (cell := cell_of(path)) is not None:
        joined = program.place(cell, line)
        if joined is not None:
            value = {**value, "path": NAME, "line": joined}
    return {key: _relabelled(item, program, cell_of, depth + 1) for key, item in value.items()}


def _reader(program: SessionProgram) -> Callable[[str], str | None]:
    """The notebook, and Python files below the working folder."""

    def read(name: str) -> str | None:
        if name == NAME:
            return program.source.text if program.source is not None else None
        path = PurePath(name)
        inside = os.path.relpath(name, Path.cwd()) if path.is_absolute() else name
        if path.suffix != ".py" or inside.startswith(".."):
            return None
        try:
            return read_text(Path.cwd(), inside, errors="replace")
        except FileRefused:
            return None

    return read


def _cells(program: SessionProgram) -> tuple[CellPlace, ...]:
    places = program.source.cells if program.source is not None else ()
    return tuple(CellPlace(cell, line) for cell, line in places)


def _site(found: Crash, sources: Sources, cells: tuple[CellPlace, ...]) -> Site | None:
    place = look_at(found, sources.read).place
    if place is None:
        return None
    return Site(place.path, place.line, place.function, place.text, _cell(place.path, place.line, cells))


def _cell(path: str, line: int, cells: tuple[CellPlace, ...]) -> CellPlace | None:
    return cells[line - 1] if path == NAME and 0 < line <= len(cells) else None


def _in_cells(cause: Cause, cells: tuple[CellPlace, ...]) -> Cause:
    def named(place: Location) -> Location:
        return replace(place, cell=_cell(place.path, place.line, cells))

    return replace(cause, locations=tuple(named(place) for place in cause.locations))


def _similar(found: Crash) -> tuple[SolvedBug, ...]:
    from bugloss.corpus.collection import load
    from bugloss.workflows.lookup import solved_similarly

    try:
        return solved_similarly(found.exception, load())
    except BuglossError:
        return ()
