"""``bugloss comment``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.options import JsonOption

_ACTIONS_ACCOUNT = "github-actions[bot]"


def command(
    event: Annotated[
        Path | None, typer.Argument(metavar="[EVENT]", help="The JSON of an issue event. Default: GITHUB_EVENT_PATH.")
    ] = None,
    account: Annotated[
        str, typer.Option("--account", help="The account of the token: only its comments are updated.")
    ] = _ACTIONS_ACCOUNT,
    everything: Annotated[
        bool, typer.Option("--all", help="Comment also on issues that are not about deep learning.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the comment and write nothing.")] = False,
    json: JsonOption = False,
) -> None:
    """Triage the GitHub issue of a workflow's event, in one comment that is updated when the issue changes.

    Reads the issue from the JSON of the event. GITHUB_TOKEN is sent to GITHUB_API_URL only, over https.
    """
    from bugloss.show.formats.triage_comment import triage_comment
    from bugloss.workflows.issue_comment import comment_on, read_event

    outcome = comment_on(read_event(event), triage_comment, account=account, everything=everything, send=not dry_run)
    where = f"{outcome.event.repository}#{outcome.event.number}"
    if json:
        from bugloss.show.cli.output import print_json

        written = outcome.written.value if outcome.written else "none"
        print_json("comment", {"issue": where, "written": written, "why": outcome.why, "text": outcome.text})
    elif dry_run:
        print(outcome.text, end="")
    else:
        print(f"{where}: comment {outcome.written.value}" if outcome.written else f"{where}: no comment, {outcome.why}")
