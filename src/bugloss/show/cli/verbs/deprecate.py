"""``bugloss deprecate``."""

from __future__ import annotations

from typing import Annotated

import typer

from bugloss.show.cli.options import BugArgument, JsonOption
from bugloss.show.cli.output import console, print_json


def command(
    bug: BugArgument,
    why: Annotated[str, typer.Option("--why", help="The reason, for everybody who asks later.")],
    flaky: Annotated[bool, typer.Option("--flaky", help="It behaves differently from run to run.")] = False,
    json: JsonOption = False,
) -> None:
    """Take a bug out of the scores, with the reason; its folder and its id stay."""
    from bugloss.core.bug import Status
    from bugloss.core.errors import InvalidInput
    from bugloss.corpus.collection import load
    from bugloss.corpus.register import retire

    if not why.strip():
        raise InvalidInput("a bug is not deprecated without a reason.", hint='--why "the reason"')
    corpus = load()
    entry = retire(corpus.root, corpus[bug].id, Status.FLAKY if flaky else Status.DEPRECATED, why.strip())
    if json:
        print_json("retirement", {"retired": entry})
        return
    console().print(f"{entry.bug} is {entry.status.value} since {entry.since}: {entry.why}", markup=False)
