"""``bugloss new``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.options import JsonOption
from bugloss.show.cli.output import console, print_json


def command(
    bug: Annotated[str, typer.Argument(metavar="NAME", help="A working name; the permanent id comes with submit.")],
    framework: Annotated[str, typer.Option("--framework", help="torch, keras or tensorflow.")] = "torch",
    stack: Annotated[str | None, typer.Option("--stack", help="See: bugloss env list")] = None,
    json: JsonOption = False,
) -> None:
    """Start a new bug from a template, in a folder of that name here."""
    from bugloss.core.bug import Framework
    from bugloss.core.errors import InvalidInput
    from bugloss.corpus.scaffold import scaffold
    from bugloss.stacks.stack import load_stack

    usual = {"torch": "torch", "keras": "keras3", "tensorflow": "tf2"}
    if framework not in usual:
        raise InvalidInput(f"there is no framework '{framework}'.", hint=f"Known: {', '.join(usual)}.")
    chosen = load_stack(stack or usual[framework])
    names = scaffold(bug, Path(bug), Framework(framework), chosen.name)
    if json:
        print_json("new", {"bug": bug, "folder": bug, "files": names})
        return
    screen = console()
    screen.print(f"{bug}/ holds {', '.join(names)}.")
    screen.print(f"Fill them in, then: bugloss lint {bug} && bugloss submit {bug}")
