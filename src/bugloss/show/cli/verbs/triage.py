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
        str, typer.Option("--method", help="bugloss, or dlrepro, which uses only the tags of the report.")
    ] = "bugloss",
    offline: OfflineOption = False,
    json: JsonOption = False,
) -> int:
    """Classify a bug report: type and origin, missing information, and the edits that a reproduction needs.

    Shows the words of the report that decided, questions for the reporter, and edits with confidences from reproduced
    bugs. Exit code: 4 if the report is too short to classify.
    """
    from bugloss.workflows.triage import document, triage_report

    if method not in METHODS:
        raise InvalidInput(f"'{method}' is not a known method.", hint=f"Known: {', '.join(METHODS)}.")
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
