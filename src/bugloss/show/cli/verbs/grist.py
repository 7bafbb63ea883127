"""``bugloss grist``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import IsolationOption, JsonOption, OfflineOption, QuietOption, SeedOption
from bugloss.show.cli.output import is_silent, print_json, spinner

if TYPE_CHECKING:
    from bugloss.workflows.danger_search import DangerSearch


def command(
    script: Annotated[Path, typer.Argument(help="The training script.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="Arguments for the script.")
    ] = None,
    stack: Annotated[
        str | None, typer.Option("--stack", help="The environment to run it in. Default: chosen from its imports.")
    ] = None,
    budget: Annotated[float, typer.Option("--budget", min=0.1, help="Time limit of the search in seconds.")] = 30.0,
    timeout: Annotated[
        float, typer.Option("-t", "--timeout", min=0.1, help="Time limit of the script in seconds.")
    ] = 300.0,
    seed: SeedOption = 0,
    isolation: IsolationOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Run a script unchanged, then search for inputs for which its logarithms, divisions and roots return inf or NaN.

    The search moves the input of each risky operation towards values where it fails, by signed gradient steps. A
    finding is an input that was run and gave inf or NaN. Exit code: 1 with errors or warnings, 0 with none, 3 if the
    script could not be run, 4 if the search was incomplete.
    """
    from bugloss.run.sandbox import isolation_for_untrusted
    from bugloss.workflows.danger_search import DangerRequest, search_dangers

    chosen = isolation_for_untrusted(isolation)
    request = DangerRequest(script, tuple(arguments or ()), stack, budget, timeout, seed, offline, chosen)
    with spinner(is_silent(quiet, json)) as notify:
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
        print(f"incomplete: {remark}", file=sys.stderr)
    reached = len(search.inspection.findings)
    seconds = search.inspection.seconds
    print(f"{search.sites} risky operations in {seconds:.1f} s: {reached} reach inf or NaN", file=sys.stderr)


def _exit_code(search: DangerSearch) -> int:
    from bugloss.show.cli.exit_codes import FINDINGS, FINE, INCONCLUSIVE

    if any(finding.severity.rank > 0 for finding in search.inspection.findings):
        return FINDINGS
    return INCONCLUSIVE if search.remarks else FINE
