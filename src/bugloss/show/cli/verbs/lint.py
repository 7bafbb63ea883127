"""``bugloss lint``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.core.plural import plural
from bugloss.show.cli.options import JsonOption
from bugloss.show.cli.output import console, print_json


def command(
    bugs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[BUG|DIR]...", help="Bugs or bug folders to check. Default: all bugs."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Check bug folders without running them: schema, labels, both programs, fix size, test, report, leaks of the
    fix."""
    from bugloss.corpus.collection import load
    from bugloss.corpus.lint import lint

    folders = [_folder(name) for name in bugs] if bugs else [load().folder(bug) for bug in load()]
    problems = [problem for folder in folders for problem in lint(folder)]
    if json:
        print_json("lint", {"bugs": len(folders), "problems": problems})
    else:
        screen = console()
        for problem in problems:
            screen.print(f"{problem.bug}/{problem.file}: {problem.message}", markup=False, soft_wrap=True)
        screen.print(f"{plural(len(folders), 'bug')}, {plural(len(problems), 'problem')}")
    return 1 if problems else 0


def _folder(name: str) -> Path:
    """A folder by its path, or a bug of the corpus by its id."""
    from bugloss.corpus.collection import load

    return Path(name) if Path(name).is_dir() else load().folder(name)
