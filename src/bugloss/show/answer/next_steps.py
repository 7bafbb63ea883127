"""Where the page of a run is, and the command to type next."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator
from pathlib import Path

from bugloss.core.finding import Safety
from bugloss.core.run import Outcome
from bugloss.show.answer.sheet import Sheet
from bugloss.workflows.diagnosis import Examined

_MORE_TIME = 5  # times as long: enough to see what comes of a training that has only begun


def show_next(examined: Examined, page: Path, sheet: Sheet) -> None:
    """The last lines of an answer."""
    sheet.gap()
    sheet.entry("page", shown(page), ("   --open shows it in the browser", "dim"))
    for command, why in _next_commands(examined):
        sheet.entry("next", (command, "bold"), (f"   {why}", "dim"))
        return


def _next_commands(examined: Examined) -> Iterator[tuple[str, str]]:
    """The most useful command first."""
    diagnosis, facts = examined.diagnosis, examined.facts
    named = {text for cause in diagnosis.causes[:1] for text in cause.evidence}
    fixes = [
        finding.fix
        for finding in examined.case.findings
        if finding.fix and f"check ({finding.rule}): {finding.message}" in named
    ]
    if fixes:
        unsafe = "" if fixes[0].safety is Safety.SAFE else " --unsafe-fixes"
        yield f"bugloss check {shlex.quote(facts.script)} --diff{unsafe}", "shows the edit"
    first = diagnosis.causes[:1]
    if first and not first[0].confirmed and first[0].edits and not examined.cells:
        yield again(examined, "--experiment"), "tries the change, seed by seed"
    if diagnosis.ending.outcome is Outcome.TIMED_OUT and not diagnosis.causes and facts.seconds:
        yield again(examined, "-t", str(_MORE_TIME * math.ceil(facts.seconds))), "gives it more time"
    if diagnosis.similar:
        yield f"bugloss diff {diagnosis.similar[0].bug}", "shows how a similar bug was fixed"


def again(examined: Examined, *options: str) -> str:
    """The command that diagnoses the same program again."""
    facts = examined.facts
    target = ("-m", facts.module) if facts.module else (facts.script,)
    here = ("--here",) if facts.isolation is None and facts.stack is None else ()
    arguments = ("--", *facts.arguments) if facts.arguments else ()
    return shlex.join(["bugloss", "diagnose", *target, *here, *options, *arguments])


def shown(path: Path) -> str:
    """A path as short as it can be typed."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return str(path)
