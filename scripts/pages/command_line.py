"""The page of all verbs, from the command line itself."""

from __future__ import annotations

from typing import Any

import typer

from bugloss.show.cli.app import application
from bugloss.show.cli.verb_table import CLOSING, VERBS

HEADER = f"""\
# Command line

{CLOSING}
"""


def document() -> str:
    """The whole page."""
    group: Any = typer.main.get_command(application)
    sections = []
    for name in VERBS:
        command = group.get_command(None, name)
        sections.append(verb(f"bugloss {name}", command))
        sections += [verb(f"bugloss {name} {child}", part) for child, part in getattr(command, "commands", {}).items()]
    return "\n".join([HEADER, *sections])


def verb(title: str, command: Any) -> str:
    """One verb: what it does and a table of its parameters."""
    rows = [row(parameter) for parameter in command.params if parameter.name != "help"]
    table = ["| parameter | meaning | default |", "| --- | --- | --- |", *rows] if rows else []
    text = " ".join((command.help or "").split())
    return f"## {title}\n\n{text}\n\n" + "\n".join(table) + "\n"


def row(parameter: Any) -> str:
    """One parameter as a line of the table."""
    named = ", ".join(f"`{name}`" for name in parameter.opts if name.startswith("-"))
    name = named or f"`{parameter.metavar or parameter.name.upper()}`"
    shown = "" if parameter.required or parameter.default in (None, False) else str(parameter.default)
    return f"| {name.replace('|', chr(92) + '|')} | {getattr(parameter, 'help', '') or ''} | {shown} |"
