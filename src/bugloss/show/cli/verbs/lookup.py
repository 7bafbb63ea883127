"""``bugloss lookup``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.exit_codes import FINDINGS, FINE
from bugloss.show.cli.options import JsonOption, LimitOption

if TYPE_CHECKING:
    from bugloss.core.diagnosis import SolvedBug
    from bugloss.workflows.lookup import Lookup


def command(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="A traceback or log; - or nothing for standard input.")
    ] = "-",
    limit: LimitOption = 3,
    json: JsonOption = False,
) -> int:
    """Find solved bugs with a similar traceback or log, and their fixes.

    Reads any text that contains a traceback, from a terminal, a notebook or a log, complete or not. Explains the
    exception, then lists the most similar bugs of the corpus with reasons. Exit code: 1 if no bug is similar.
    """
    from bugloss.corpus.collection import load
    from bugloss.show.cli.text_input import read_text
    from bugloss.workflows.lookup import look_up

    found = look_up(read_text(file), load(), limit)
    if json:
        from bugloss.show.cli.output import print_json

        print_json("lookup", _document(found))
    else:
        _show(found)
    return FINE if found.matches else FINDINGS


def _document(found: Lookup) -> dict[str, object]:
    return {"kind": found.kind, "exception": found.exception, "causes": found.causes, "matches": found.matches}


def _show(found: Lookup) -> None:
    exception = found.exception
    if exception is None:
        print("no exception found: compared by words only\n")
    else:
        print(f"{exception.kind}: {exception.message.strip().split(chr(10), 1)[0]}".strip(": "))
        print(f"kind: {found.kind}\n")
    for cause in found.causes:
        print(f"{cause.explanation}\n  → {cause.change}\n")
    for match in found.matches:
        _show_match(match)
    if not found.matches:
        print("no similar solved bug", file=sys.stderr)


def _show_match(match: SolvedBug) -> None:
    from bugloss.show.cli.terminal import coloured
    from bugloss.show.own_codes import styled

    heading = f"{match.bug}  {match.title}"
    print(styled(heading, "1") if coloured() else heading)
    print(f"  {match.score:.2f} similar: {'; '.join(match.why)}")
    print(f"  fixed by: {match.fix_pattern}")
    print("\n".join(f"  {line}" for line in match.diff.splitlines()) + "\n")
