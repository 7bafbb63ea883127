"""``bugloss grist``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import IsolationOption, JsonOption, OfflineOption, QuietOption, SeedOption
from bugloss.show.cli.output import print_json, spinner

if TYPE_CHECKING:
    from bugloss.workflows.danger_search import DangerSearch


def command(
    script: Annotated[Path, typer.Argument(help="The training script.")],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="What the script gets.")] = None,
    stack: Annotated[str | None, typer.Option("--stack", help="Where to run it; chosen from its imports.")] = None,
    budget: Annotated[float, typer.Option("--budget", min=0.1, help="Seconds for the search.")] = 30.0,
    timeout: Annotated[float, typer.Option("-t", "--timeout", min=0.1, help="Seconds for the script.")] = 300.0,
    seed: SeedOption = 0,
    isolation: IsolationOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Run a script as it is, then search for inputs that make its logarithms, divisions and roots go wrong.

    Signed gradient steps drive the operand of each dangerous operation towards its danger zone; a finding is an
    input that was run and gave inf or NaN. Exit code: 1 with errors or warnings, 0 with none, 3 the script could
    not be run, 4 the search was not complete.
    """
    from bugloss.run.sandbox import isolation_for_strangers
    from bugloss.workflows.danger_search import DangerRequest, search_dangers

    chosen = isolation_for_strangers(isolation)
    request = DangerRequest(script, tuple(arguments or ()), stack, budget, timeout, seed, offline, chosen)
    with spinner(quiet or json) as notify:
        search = search_dangers(request, notify)
    if json:
        print_json("findings", _document(search))
    else:
        _show(search)
    return _exit_code(search)


def _document(search: DangerSearch) -> dict[str, object]:
    from bugloss.show.formats.context import Texts
    from bugloss.show.formats.document import findings_document

    document = findings_document(search.inspection, Texts())
    findings = document["findings"]
    assert isinstance(findings, list)
    for finding, witness in zip(findings, search.witnesses, strict=True):
        finding["witness"] = dict(witness)
    extra = {"stack": search.stack, "outcome": search.run.outcome, "sites": search.sites}
    return {**document, **extra, "remarks": list(search.remarks)}


def _show(search: DangerSearch) -> None:
    from bugloss.show.cli.terminal import coloured
    from bugloss.show.formats.context import Texts
    from bugloss.show.formats.text import Paint, concise, finding_frame

    texts, paint = Texts(), Paint(coloured())
    for finding in search.inspection.findings:
        print("\n".join([concise(finding, texts, paint), *finding_frame(finding, texts, paint)]) + "\n")
    for remark in search.remarks:
        print(f"not complete: {remark}", file=sys.stderr)
    reached = len(search.inspection.findings)
    seconds = search.inspection.seconds
    print(f"{search.sites} dangerous places in {seconds:.1f} s: {reached} reached", file=sys.stderr)


def _exit_code(search: DangerSearch) -> int:
    from bugloss.show.cli.exit_codes import FINDINGS, FINE, INCONCLUSIVE

    if any(finding.severity.rank > 0 for finding in search.inspection.findings):
        return FINDINGS
    return INCONCLUSIVE if search.remarks else FINE
