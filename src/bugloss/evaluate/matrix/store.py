"""The folder of an evaluation: one file per cell, written whole or not at all, and what was asked for.

::

    DIR/evaluation.json               what was asked: task, tools, settings, and the facts about the bugs
    DIR/cells/FAMILY/TOOL/BUG.SIDE.SEED.json
    DIR/results.json                  the scores (``bugloss.evaluation/1``), made from the two above
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bugloss.core.codec import decode, encode
from bugloss.core.documents import parse_json
from bugloss.core.errors import EnvironmentFailure, FileRefused, InvalidInput
from bugloss.core.foreign_file import read_text
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside
from bugloss.evaluate.matrix.cell import Cell, EvaluationTask, MatrixPlace
from bugloss.evaluate.matrix.truth import BugFacts

REQUEST, RESULTS, CELLS = "evaluation.json", "results.json", "cells"
_LARGEST = 200_000_000
_FILE_NAME = re.compile(r"[\w.+@-]+")


@dataclass(frozen=True, slots=True)
class JudgedTool:
    """A tool of an evaluation, with the version that its cells were made by."""

    name: str
    title: str
    version: str
    origin: str  # built-in, plug-in, driver or predictions


@dataclass(frozen=True, slots=True)
class EvaluationFile:
    """What an evaluation was asked to do; with the cells it gives all scores."""

    task: EvaluationTask
    tools: tuple[JudgedTool, ...]
    bugs: tuple[BugFacts, ...]
    seeds: tuple[int, ...] = (0,)
    command: str = ""
    version: str = ""
    started: str = ""
    machine: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


class CellStore:
    """Cells below a folder; safe to be killed at any moment."""

    def __init__(self, folder: Path, family: str) -> None:
        self.folder = folder
        self.family = family

    def write(self, cell: Cell) -> None:
        """Stores a cell; one of the same place is replaced."""
        _write(self.folder, self._name(cell.place), json_text(encode(cell)) + "\n")

    def read(self, place: MatrixPlace) -> Cell | None:
        """The stored cell of that place; None where there is none, or where it is torn or of another version."""
        try:
            return decode(Cell, parse_json(read_text(self.folder, self._name(place), _LARGEST)))
        except (FileRefused, ValueError, InvalidInput):
            return None

    def _name(self, place: MatrixPlace) -> str:
        parts = (place.tool, place.bug)
        if wrong := next((part for part in parts if not _FILE_NAME.fullmatch(part) or part.startswith(".")), None):
            raise InvalidInput(f"'{wrong}' cannot be the name of a tool or bug.", hint="Use letters, digits, - and _.")
        return f"{CELLS}/{self.family}/{place.tool}/{place.bug}.{place.side.value}.{place.seed}.json"


def places(asked: EvaluationFile) -> Iterator[MatrixPlace]:
    """Every cell that an evaluation needs."""
    for bug in asked.bugs:
        for side in asked.task.sides:
            for seed in asked.seeds:
                yield from (MatrixPlace(tool.name, bug.bug, side, seed) for tool in asked.tools)


def read_cells(folder: Path, asked: EvaluationFile) -> dict[MatrixPlace, Cell]:
    """The stored cells of an evaluation."""
    store = CellStore(folder, asked.task.family)
    found = ((place, store.read(place)) for place in places(asked))
    return {place: cell for place, cell in found if cell is not None}


def write_request(folder: Path, asked: EvaluationFile) -> None:
    """Stores what was asked for."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    _write(folder, REQUEST, json_text(encode(asked), 1) + "\n")


def is_evaluation(folder: Path) -> bool:
    """Whether a folder is the output of an evaluation."""
    return (folder / REQUEST).is_file()


def read_request(folder: Path) -> EvaluationFile:
    """What the evaluation in that folder was asked to do."""
    try:
        return decode(EvaluationFile, parse_json(read_text(folder, REQUEST, _LARGEST)))
    except (FileRefused, ValueError, InvalidInput) as error:
        reason = error.message if isinstance(error, InvalidInput) else str(error)
        hint = "Start one: bugloss evaluate detect -o DIR"
        raise InvalidInput(f"{folder} contains no readable evaluation: {reason}", hint=hint) from error


def write_results(folder: Path, name: str, text: str) -> None:
    """Stores something that was made from the cells."""
    _write(folder, name, text)


def _write(folder: Path, name: str, text: str) -> None:
    try:
        write_inside(folder, name, text)
    except OSError as error:
        raise _unwritable(folder / name, error) from error


def _unwritable(path: Path, error: OSError) -> EnvironmentFailure:
    return EnvironmentFailure(
        f"{path} cannot be written: {error.strerror}.", hint="Free some space, or name another folder: -o DIR"
    )
