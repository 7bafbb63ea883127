"""Tracebacks as IPython and notebooks write them: frames with a stretch of source and an arrow at the line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bugloss.core.raised import Frame

_HEADING = re.compile(r"^(?P<prefix>[\s>*]*)(?P<kind>[A-Za-z_][\w.]*)\s{2,}Traceback \(most recent call last\)")
_OLD = re.compile(
    r"^(?P<path><ipython-input-[^>]+>|\S+\.p(?:yx?|x[id])|(?:[A-Za-z]:|[~/.]).{1,300}?\.pyx?) in "
    r"(?P<function>(?:<module>|<cell line: \d+>)(?=\(\)|\s*$)|[\w.<>]+(?=\(.*\)))(?:\(.*\))?\s*$"
)
_NEW = re.compile(r"^File (?P<path>[^\"\s].*?):(?P<line>\d+)(?:, in (?P<function>.+))?$")
_CELL = re.compile(
    r"^(?:Cell |Input )In ?\[(?P<cell>\d+)\](?:, line (?P<line>\d+)|, in <cell line: (?P<at>\d+)>\(\))?"
    r"(?:, in (?P<function>[\w.<>]+))?"
)
_ARROW = re.compile(r"^-+> ?(?P<line>\d+) ?(?P<text>.*)$")


def notebook_heading(line: str) -> tuple[str, str] | None:
    """What precedes the heading of a notebook's traceback, and the class that the heading names."""
    match = _HEADING.match(line)
    return (match["prefix"], match["kind"]) if match else None


def notebook_frame(line: str) -> Frame | None:
    """The frame that a line of a notebook's traceback opens; the arrow below marks its line."""
    if match := _CELL.match(line):
        function = _function(match["function"] or "<module>")
        return Frame(f"<cell {match['cell']}>", int(match["line"] or match["at"] or 0), function)
    if match := _OLD.match(line):
        return Frame(match["path"], 0, "<module>" if match["function"].startswith("<cell") else match["function"])
    if match := _NEW.match(line):
        return Frame(match["path"], int(match["line"]), _function(match["function"] or ""))
    return None


def notebook_frames(block: Sequence[str]) -> tuple[Frame, ...]:
    """The frames of a notebook's traceback, outermost first."""
    frames: list[Frame] = []
    for line in block:
        frame = notebook_frame(line)
        if frame is not None:
            frames.append(frame)
        elif frames and (arrow := _ARROW.match(line)):
            last = frames[-1]
            frames[-1] = Frame(last.path, int(arrow["line"]), last.function, arrow["text"].strip())
    return tuple(frames)


def _function(text: str) -> str:
    """``Module.forward(self, x)`` without its arguments."""
    return text.split("(", 1)[0].strip()
