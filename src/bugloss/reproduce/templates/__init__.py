"""Programs and parts of programs that the room writes, as files: ``$name`` stands for a value."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from string import Template
from textwrap import indent

_HERE = Path(__file__).parent
_ALONE = re.compile(r"(?P<depth>\s*)\$(?P<name>\w+)")


@cache
def _lines(name: str) -> tuple[str, ...]:
    return tuple((_HERE / f"{name}.py.txt").read_text(encoding="utf-8").rstrip("\n").split("\n"))


def render(template: str, /, **values: object) -> str:
    """A template with its values. One that has a line to itself may be several lines, or none."""
    rendered: list[str] = []
    for line in _lines(template):
        alone = _ALONE.fullmatch(line)
        if alone is None:
            rendered.append(Template(line).substitute(values))
        elif values[alone["name"]]:
            rendered.append(indent(str(values[alone["name"]]), alone["depth"]))
    return "\n".join(rendered)
