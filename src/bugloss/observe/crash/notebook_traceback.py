"""Tracebacks as IPython and notebooks write them: frames with a stretch of source and an arrow at the line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bugloss.core.raised import Frame

_HEADING = re.compile(r"^\s*(?P<kind>[A-Za-z_][\w.]*)\s{2,}Traceback \(most recent call last\)")
_OLD = re.compile(r"^(?P<path><ipython-input-[^>]+>|\S+\.py) in (?P<function><module>|[\w.<>]+)(?:\(.*\))?\s*$")
_NEW = re.compile(r"^File (?P<path>.+?):(?P<line>\d+)(?:, in (?P<function>.+))?$")
_CELL = re.compile(r"^(?:Cell |Input )In ?\[(?P<cell>\d+)\](?:, line (?P<line>\d+)|, in <cell line: (?P<at>\d+)>\(\))?")
_ARROW = re.compile(r"^-+> ?(?P<line>\d+) ?(?P<text>.*)$")


def notebook_heading(line: str) -> bool:
    """Whether a traceback of a notebook begins here: the exception's name stands before the words."""
    return bool(_HEADING.match(line))


def notebook_frames(block: Sequence[str]) -> tuple[Frame, ...]:
    """The frames of a notebook's traceback, outermost first."""
    frames: list[Frame] = []
    for line in block:
        frame = _start(line)
        if frame is not None:
            frames.append(frame)
        elif frames and (arrow := _ARROW.match(line)):
            last = frames[-1]
            frames[-1] = Frame(last.path, int(arrow["line"]), last.function, arrow["text"].strip())
    return tuple(frames)


def _start(line: str) -> Frame | None:
    if match := _CELL.match(line):
        return Frame(f"<cell {match['cell']}>", int(match["line"] or match["at"] or 0), "<module>")
    if match := _OLD.match(line):
        return Frame(match["path"], 0, match["function"])
    if match := _NEW.match(line):
        return Frame(match["path"], int(match["line"]), _function(match["function"] or ""))
    return None


def _function(text: str) -> str:
    """``Module.forward(self, x)`` without its arguments."""
    return text.split("(", 1)[0].strip()
