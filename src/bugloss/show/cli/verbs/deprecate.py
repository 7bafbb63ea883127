"""``bugloss deprecate``."""

from __future__ import annotations

from typing import Annotated

import typer

from bugloss.show.cli.options import BugArgument, JsonOption
from bugloss.show.cli.output import console, print_json


def command(
    bug: BugArgument,
    why: Annotated[str, typer.Option("--why", help="The reason.")],
    flaky: Annotated[bool, typer.Option("--flaky", help="The results differ from run to run.")] = False,
    json: JsonOption = False,
) -> None:
    """Exclude a bug from the scores, with a reason; its folder and its id are kept."""
    from bugloss.core.bug import Status
    from bugloss.core.errors import InvalidInput
    from bugloss.corpus.collection import load
    from bugloss.corpus.register import retire

    if not why.strip():
        raise InvalidInput("a reason is required to deprecate a bug.", hint='--why "the reason"')
    corpus = load()
    entry = retire(corpus.root, corpus[bug].id, Status.FLAKY if flaky else Status.DEPRECATED, why.strip())
    if json:
        print_json("retirement", {"retired": entry})
        return
    console().print(f"{entry.bug} is {entry.status.value} since {entry.since}: {entry.why}", markup=False)
