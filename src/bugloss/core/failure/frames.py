"""Lines of a call stack: which of them are the user's own, and how frameworks write them into messages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bugloss.core.raised import Frame, RaisedException

_LIBRARY = re.compile(
    r"(?:^|[/\\])(?:site|dist)-packages[/\\]"
    r"|(?:^|[/\\])lib(?:64)?[/\\]python\d"
    r"|(?i:(?:python|conda)[^/\\]{0,60}[/\\]lib[/\\])"
    r"|(?:^|[/\\])torch[/\\](?:nn|utils|optim|autograd|distributed|functional|tensor|_\w+)[/\\.]"
    r"|(?:^|[/\\])tensorflow(?:_core)?[/\\]python[/\\]"
    r"|(?:^|[/\\])keras[/\\](?:src|engine|utils|layers|backend|models)[/\\.]"
    r"|(?:^|[/\\])numpy[/\\]"
    r"|^\.\.\.[/\\]"  # shortened by a notebook, which does so with long paths of libraries
    r"|(?:^|[/\\])(?:bugloss[/\\]probes|\.bugloss-observe)[/\\]"  # the probe, as it is and copied
    r"|__autograph_generated_file"
)
_NOWHERE = re.compile(r"^$|^<(?!stdin|ipython|cell|module|input)")
_FRAME = re.compile(r"File \"(?P<path>[^\"]+)\", line (?P<line>\d+)(?:, in (?P<function>.+))?$")
_SHORT_FRAME = re.compile(r"^\s++(?P<path>\S+\.py):(?P<line>\d+) (?P<function>\w+)$")


def is_users(frame: Frame) -> bool:
    """Whether a frame is in the user's own program, not in a library, the standard library or generated code."""
    return not _LIBRARY.search(frame.path) and not _NOWHERE.match(frame.path)


def users(frames: Iterable[Frame]) -> tuple[Frame, ...]:
    """The frames of the user's own program, in their order."""
    return tuple(frame for frame in frames if is_users(frame))


def raising_library_function(exception: RaisedException) -> str:
    """The function of a library that raised; empty where the program's own line did."""
    last = exception.frames[-1] if exception.frames else None
    return last.function.split("(")[0].rsplit(".", 1)[-1] if last is not None and not is_users(last) else ""


def frames_in(text: str) -> tuple[Frame, ...]:
    """The frames that a text lists, with the source line below each where there is one."""
    lines = [line.rstrip().rstrip("*").rstrip() for line in text.split("\n")]  # TensorFlow marks some with stars
    found = []
    for at, line in enumerate(lines):
        match = _FRAME.search(line) or _SHORT_FRAME.match(line)
        if match is None:
            continue
        below = lines[at + 1] if at + 1 < len(lines) else ""
        source = "" if _FRAME.search(below) or _SHORT_FRAME.match(below) else below.strip()
        found.append(Frame(match["path"], int(match["line"]), (match["function"] or "").strip(), source))
    return tuple(found)
