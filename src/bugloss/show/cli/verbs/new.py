"""``bugloss new``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.options import JsonOption
from bugloss.show.cli.output import console, print_json


def command(
    bug: Annotated[str, typer.Argument(metavar="NAME", help="A working name; submit assigns the permanent id.")],
    framework: Annotated[str, typer.Option("--framework", help="torch, keras or tensorflow.")] = "torch",
    stack: Annotated[str | None, typer.Option("--stack", help="The stack to run it in; see: bugloss env list")] = None,
    json: JsonOption = False,
) -> None:
    """Create a new bug from a template, in a folder of that name."""
    from bugloss.core.bug import Framework
    from bugloss.core.errors import InvalidInput
    from bugloss.corpus.scaffold import scaffold
    from bugloss.stacks.stack import load_stack

    usual = {"torch": "torch", "keras": "keras3", "tensorflow": "tf2"}
    if framework not in usual:
        raise InvalidInput(f"'{framework}' is not a known framework.", hint=f"Known: {', '.join(usual)}.")
    chosen = load_stack(stack or usual[framework])
    names = scaffold(bug, Path(bug), Framework(framework), chosen.name)
    if json:
        print_json("new", {"bug": bug, "folder": bug, "files": names})
        return
    screen = console()
    screen.print(f"{bug}/ contains {', '.join(names)}.")
    screen.print(f"Edit these files, then run: bugloss lint {bug} && bugloss submit {bug}")
