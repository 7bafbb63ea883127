"""Answers of a tool that was run elsewhere, as JSON lines.

::

    {"bug": "torch-0003", "tool": "mine", "side": "buggy", "alarm": true, "seconds": 2.5, "faults": [
     {"name": "missing-zero-grad", "fix_pattern": "api-contract", "lines": [{"path": "train.py", "line": 61}]}]}
    {"bug": "tf-0002", "tool": "mine", "side": "buggy", "applies": false, "reason": "TensorFlow 1 is not supported"}

``side`` is buggy if it is missing; a bug for which a tool has no line counts as not detected. Localization has
``ranking``, a list of files; reproduction ``script``, the text of a program; repair ``patch``, a unified diff.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bugloss.core.bug import Twin
from bugloss.core.codec import decode
from bugloss.core.errors import InvalidInput
from bugloss.core.json_lines import read_lines
from bugloss.core.named_file import read_named_text
from bugloss.evaluate.matrix.cell import Cell, CellState, ClaimedFault, MatrixPlace, ToolReply, content_key
from bugloss.evaluate.matrix.store import JudgedTool

_FORM = 'One object per line: {"bug": "torch-0003", "tool": "mine", "side": "buggy", "alarm": true}.'
ORIGIN = "predictions"


def read_replies(path: Path) -> list[Cell]:
    """The answers of a file as cells."""
    try:
        lines = read_named_text(path).splitlines()
        return list(read_lines(path, lines, _cell, "prediction", _FORM))
    except InvalidInput as error:
        raise InvalidInput(error.message, hint=error.hint or _FORM) from error


def _cell(data: Mapping[str, Any], _: int) -> Cell:
    applies = bool(data.get("applies", True))
    faults = tuple(decode(ClaimedFault, one) for one in data.get("faults", ()))
    ranking = tuple(str(one) for one in data.get("ranking", ()))
    text = str(data.get("text") or data.get("script") or data.get("patch") or ", ".join(fault.name for fault in faults))
    reply = ToolReply(bool(data.get("alarm", faults)), faults, text, ranking)
    tool = str(data["tool"] if "tool" in data else data["method"])
    return Cell(
        tool=tool,
        bug=str(data["bug"] if "bug" in data else data["id"]),
        side=Twin(data.get("side", "buggy")),
        seed=int(data.get("seed", 0)),
        key=content_key(dict(data)),
        state=CellState.ANSWERED if applies else CellState.NOT_APPLICABLE,
        reply=reply,
        reason=str(data.get("reason") or ("" if applies else "does not apply, as the predictions say")),
        seconds=float(data.get("seconds", 0.0)),
    )


def predicting_tools(cells: Iterable[Cell], path: Path) -> list[JudgedTool]:
    """The tools that a file has answers of; their version is the content of these."""
    by_tool: dict[str, list[str]] = {}
    for cell in cells:
        by_tool.setdefault(cell.tool, []).append(cell.key)
    return [
        JudgedTool(name, f"{name} ({path.name})", content_key(sorted(keys)), ORIGIN) for name, keys in by_tool.items()
    ]


def with_silence(cells: Sequence[Cell], wanted: Iterable[MatrixPlace]) -> list[Cell]:
    """The cells of these places; a tool that says nothing about a program has given no alarm."""
    there = {cell.place: cell for cell in cells}
    silent = content_key("no prediction")
    return [
        there.get(place)
        or Cell(
            place.tool, place.bug, place.side, place.seed, silent, CellState.ANSWERED, ToolReply(text="no prediction")
        )
        for place in wanted
    ]
