"""The page of all stacks, from their data files."""

from __future__ import annotations

from bugloss.stacks.stack import load_stack, stack_names

HEADER = """\
# Stacks

A stack is a named, pinned environment: an interpreter version and the exact packages. The sizes and seconds are
what a build took on the two-core machine that bugloss is developed on; your own are remembered after the first build.
"""


def document() -> str:
    """The whole page."""
    stacks = [load_stack(name) for name in stack_names()]
    rows = [f"| `{s.name}` | {s.title} | {', '.join(s.python)} | {s.megabytes} | {s.build_seconds} |" for s in stacks]
    table = ["| stack | what it is | Python | MB | seconds |", "| --- | --- | --- | --- | --- |", *rows]
    sections = [
        f"## {stack.name}\n\n{stack.notes}\n\n```text\n" + "\n".join(stack.packages) + "\n```\n" for stack in stacks
    ]
    return "\n".join([HEADER, *table, "", *sections])
