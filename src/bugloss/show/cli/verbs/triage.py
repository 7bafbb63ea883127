"""``bugloss triage``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bugloss.core.errors import InvalidInput
from bugloss.show.cli.exit_codes import FINE, INCONCLUSIVE
from bugloss.show.cli.options import JsonOption, OfflineOption

METHODS = ("bugloss", "dlrepro")


def command(
    report: Annotated[
        str, typer.Argument(metavar="REPORT", help="A file, - for standard input, so:NUMBER or gh:OWNER/REPO#NUMBER.")
    ],
    method: Annotated[
        str, typer.Option("--method", help="bugloss, or dlrepro: by the report's tags alone.")
    ] = "bugloss",
    offline: OfflineOption = False,
    json: JsonOption = False,
) -> int:
    """Say what a bug report is about, what it lacks, and what its reproduction will take.

    Type and origin of the bug with the words that decided, the information that is there and that is missing, the
    questions worth asking, and edits whose confidence is mined from reproduced bugs. Exit code: 4 when the report is
    too short to tell.
    """
    from bugloss.workflows.triage import document, triage_report

    if method not in METHODS:
        raise InvalidInput(f"no method is called '{method}'.", hint=f"Known: {', '.join(METHODS)}.")
    if report == "-" and sys.stdin.isatty():
        print("paste the report, then press Ctrl-D", file=sys.stderr)
    triaged = triage_report(report, offline=offline, method=method)
    if json:
        from bugloss.show.cli.output import print_json

        print_json("triage", document(triaged))
    else:
        from bugloss.show.cli.triage import show_triage

        show_triage(triaged)
    return FINE if triaged.result.enough else INCONCLUSIVE
