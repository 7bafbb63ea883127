"""``bugloss corpus``: other people's benchmarks under the verbs for bugs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import JsonOption
from bugloss.show.cli.output import console, print_json

if TYPE_CHECKING:
    from bugloss.core.foreign_bug import ForeignBug, ForeignSource

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Add other people's benchmarks; list and remove those you added."
)
_MOST_REASONS = 12


@app.command()
def add(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A local copy: a folder, or a file of instances.")],
    layout: Annotated[
        str | None,
        typer.Option(
            "--layout", help="defect4ml, gdefects4dl, bugsinpy, aifaultbench or swe-bench. Default: by its files."
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="The prefix of the bugs' ids. Default: the layout's name.")
    ] = None,
    repositories: Annotated[
        Path | None, typer.Option("--repos", help="A folder with clones of the projects (name or owner__name).")
    ] = None,
    json: JsonOption = False,
) -> int:
    """Add a benchmark by its folder; nothing is copied or run.

    Its bugs get ids such as bugsinpy-keras-12 and work with list --corpus, info, checkout, diff, test and verify. Bugs
    that cannot run are listed with the reason. Exit code: 0, or 3 if no bug of it can run.
    """
    from bugloss.corpus.foreign.sources import add_source
    from bugloss.show.cli.exit_codes import ENVIRONMENT, FINE

    source, bugs = add_source(path, layout, name, repositories)
    if json:
        print_json("corpus", _document(source, bugs))
    else:
        _show(source, bugs)
    return FINE if any(bug.runs for bug in bugs) else ENVIRONMENT


@app.command("list")
def list_sources(json: JsonOption = False) -> None:
    """List the benchmarks that you added: name, layout, bugs, how many may run, folder."""
    from bugloss.core.errors import InvalidInput
    from bugloss.corpus.foreign.sources import bugs_of, sources
    from bugloss.show.cli.columns import show_columns

    rows = []
    for source in sources():
        try:
            bugs, problem = bugs_of(source), ""
        except InvalidInput as error:
            bugs, problem = [], error.message
        rows.append({**_facts(source), "bugs": len(bugs), "may_run": sum(bug.runs for bug in bugs), "problem": problem})
    if json:
        print_json("corpora", {"corpora": rows})
        return
    keys = ("name", "layout", "bugs", "may_run", "path", "problem")
    show_columns(
        ("name", "layout", "bugs", "may run", "path", ""), [tuple(str(row[key]) for key in keys) for row in rows]
    )
    if not rows:
        console().print("No benchmark was added: bugloss corpus add PATH")


@app.command()
def remove(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of an added benchmark.")],
    json: JsonOption = False,
) -> None:
    """Forget a benchmark; its own files stay."""
    from bugloss.corpus.foreign.sources import remove_source

    source = remove_source(name)
    if json:
        print_json("corpus", {"removed": _facts(source)})
    else:
        console().print(f"{source.name} is removed; its files in {source.path} stay.", markup=False, soft_wrap=True)


def _facts(source: ForeignSource) -> dict[str, object]:
    facts = {"name": source.name, "layout": source.layout.value, "path": source.path}
    return {**facts, "repositories": source.repositories or None, "added": source.added}


def _document(source: ForeignSource, bugs: list[ForeignBug]) -> dict[str, object]:
    listed = [{"bug": bug.id, "title": bug.title, "may_run": bug.runs, "why_not": bug.obstacles} for bug in bugs]
    return {"corpus": _facts(source), "bugs": listed, "may_run": sum(bug.runs for bug in bugs)}


def _show(source: ForeignSource, bugs: list[ForeignBug]) -> None:
    from bugloss.core.plural import plural

    screen = console()
    able = sum(bug.runs for bug in bugs)
    words = f"{source.name}: {plural(len(bugs), 'bug')} in the layout {source.layout.value}; {able} may run"
    screen.print(words, markup=False, soft_wrap=True)
    unable = [bug for bug in bugs if not bug.runs]
    for bug in unable[:_MOST_REASONS]:
        screen.print(f"  {bug.id} cannot run: {bug.obstacles[0]}", markup=False, soft_wrap=True)
    if len(unable) > _MOST_REASONS:
        screen.print(f"  and {len(unable) - _MOST_REASONS} more: bugloss list --corpus {source.name}", markup=False)
    screen.print(f"bugloss list --corpus {source.name} ; bugloss verify {bugs[0].id}", markup=False, soft_wrap=True)
