"""``bugloss list``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.columns import show_columns
from bugloss.show.cli.options import JsonOption, WhereOption
from bugloss.show.cli.output import print_json

if TYPE_CHECKING:
    from bugloss.corpus.known_bug import KnownBug

_SHOWN = ("category", "symptom", "stack", "status", "title")


def command(
    where: WhereOption = None,
    corpus_name: Annotated[
        str | None,
        typer.Option("--corpus", metavar="NAME", help="The bugs of a benchmark added by bugloss corpus add."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """List the bugs, or those that match a query.

    A query compares fields with = != ~ (contains) < <= > >= or in (a, b), combined with and, or, not and parentheses.

    Fields: id, title, kind, framework, stack, python, category, bug_type, general_type, symptom, property, fix_pattern,
    origin, edit_actions, oracle, exception, status, source, url, aliases, seconds, counterparts, settings, fails_with.

    Fields of other benchmarks (--corpus): id, title, corpus, layout, project, framework, python, url, may_run, why_not,
    remarks.
    """
    from bugloss.corpus.collection import load
    from bugloss.corpus.index import listed_bugs
    from bugloss.show.cli.exit_codes import FINE, USAGE

    if corpus_name is not None:
        from bugloss.show.cli.foreign import list_foreign

        return list_foreign(corpus_name, where, json)
    found, broken = listed_bugs(load(), *(() if json or where else _SHOWN))
    entries = _selected(found, where)
    if json:
        print_json("bugs", {"bugs": [bug.fields for bug in entries], "broken": broken})
        return USAGE if broken else FINE
    if entries:
        show_columns(("bug", *_SHOWN), [_row(entry) for entry in entries])
    print(f"{len(entries)} bug{'' if len(entries) == 1 else 's'}")
    for message in broken.values():
        print(f"bugloss: skipped: {message}", file=sys.stderr)
    return USAGE if broken else FINE


def _selected(bugs: list[KnownBug], where: str | None) -> list[KnownBug]:
    if not where:
        return bugs
    from bugloss.corpus.where import select

    return select(bugs, where)


def _row(bug: KnownBug) -> tuple[str, ...]:
    return (bug.id, *[str(bug.fields[name]) for name in _SHOWN])
