"""Shows one trial."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.show.cli.output import console
from bugloss.show.cli.words import GRADE_STYLE

if TYPE_CHECKING:
    from bugloss.core.trial import Trial


def show_trial(trial: Trial, what: str, verbose: bool = False) -> None:
    """Grade, reason, innermost frames, cost and isolation of one trial."""
    from rich.text import Text

    run = trial.run
    screen = console()
    style = GRADE_STYLE[trial.grade]
    screen.print(Text.assemble((trial.bug, "bold"), f" {what}: ", (trial.grade.value.upper(), style)), soft_wrap=True)
    screen.print(f"  {trial.judgement.reason}", markup=False, soft_wrap=True)
    if run.exception is not None:
        for frame in run.exception.frames[-6:]:
            screen.print(
                f"    {Path(frame.path).name}:{frame.line} in {frame.function}  {frame.text}", markup=False, style="dim"
            )
    peak = f", {run.peak_megabytes:.0f} MB peak memory" if run.peak_megabytes else ""
    guarantees = ", ".join(run.isolation.guarantees)
    screen.print(f"  {run.seconds:.1f} s{peak}; sandboxed by {run.isolation.level} ({guarantees})", style="dim")
    if verbose:
        for name, stream in (("stdout", run.stdout), ("stderr", run.stderr)):
            screen.print(f"  ── {name}", style="dim")
            screen.print(stream.text.rstrip(), markup=False, soft_wrap=True)
