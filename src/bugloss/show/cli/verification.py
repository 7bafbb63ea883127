"""Shows verifications: a progress bar while they run, a line per bug, a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.core.judgement import Standing
from bugloss.core.plural import plural
from bugloss.show.cli.output import console, error_console, print_json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.text import Text

    from bugloss.core.trial import Trial
    from bugloss.workflows.bug_verification import BugVerification


class Screen:
    """A bar that advances with every run, and above it a line for each bug that is done."""

    def __init__(self, terminal: Console, bar: Progress, verbose: bool = False) -> None:
        self.terminal = terminal
        self.verbose = verbose
        self.bar = bar
        self.task = bar.add_task("preparing", total=None)

    def note(self, text: str) -> None:
        self.bar.update(self.task, description=text)
        if not self.terminal.is_terminal:
            self.terminal.print(text, soft_wrap=True)

    def planned(self, trials: int, kept: int) -> None:
        if kept:
            self.terminal.print(f"{kept} runs are already done, {trials} to go")
        self.bar.update(self.task, description="running", total=trials)

    def tried(self, trial: Trial) -> None:
        self.bar.update(self.task, advance=1, description=f"{trial.bug} {trial.twin.value}")
        if self.verbose:
            words = f"  {trial.bug} {trial.twin.value} {trial.run.settings.seed}: {trial.judgement.reason}"
            self.terminal.print(words, soft_wrap=True, style="dim")

    def verified(self, result: BugVerification) -> None:
        self.terminal.print(line(result), soft_wrap=True)


class Silence:
    """Watches and says nothing."""

    def note(self, text: str) -> None: ...
    def planned(self, trials: int, kept: int) -> None: ...
    def tried(self, trial: Trial) -> None: ...
    def verified(self, result: BugVerification) -> None: ...


@contextmanager
def watching(quiet: bool, folder: Path | None = None, verbose: bool = False) -> Iterator[Screen | Silence]:
    """The watcher to hand to a verification; an interruption says how to go on where a folder keeps the runs."""
    terminal = error_console()
    try:
        if quiet:
            yield Silence()
        else:
            with _bar(terminal) as bar:
                yield Screen(bar.console, bar, verbose)
    except KeyboardInterrupt:
        if folder is not None and not quiet:
            words = f"The finished runs are stored. Continue with: bugloss verify --resume -o {folder}"
            terminal.print(words, soft_wrap=True)
        raise


def line(result: BugVerification) -> Text:
    """``torch-0003  5/5 fail  5/5 pass  active  21.3 s``."""
    from rich.text import Text

    from bugloss.show.cli.words import STANDING_STYLE

    outcome = result.stability
    style = STANDING_STYLE[outcome.standing]
    text = Text.assemble(
        (f"{result.bug:<12}", "bold"),
        f" {outcome.buggy:<10} {outcome.fixed:<10} ",
        (f"{outcome.standing.value:<8}", style),
        f" {result.seconds:6.1f} s",
    )
    if outcome.comparison:
        text.append(f"  A12 {outcome.comparison['a12']:.2f}, p {outcome.comparison['p_value']:.1e}", "dim")
    return text.append(f"\n    {outcome.reason}") if outcome.reason else text


def show_summary(results: Sequence[BugVerification], json: bool, remark: str) -> int:
    """The counts, or the document ``bugloss.verification/1``; returns the exit code they mean."""
    counts = {standing: sum(result.stability.standing is standing for result in results) for standing in Standing}
    named = {standing.value.replace("-", "_"): count for standing, count in counts.items()}
    if json:
        print_json("verification", {"bugs": [_document(result) for result in results], **named})
    else:
        words = ", ".join(f"{count} {standing.value}" for standing, count in counts.items())
        console().print(f"{plural(len(results), 'bug')}: {words}\n{remark}", soft_wrap=True)
    return _exit_code(counts)


def _document(result: BugVerification) -> dict[str, object]:
    outcome = result.stability
    return {
        "bug": result.bug,
        "buggy": outcome.buggy,
        "fixed": outcome.fixed,
        "status": outcome.standing,
        "seconds": result.seconds,
        "reason": outcome.reason,
        "comparison": outcome.comparison,
        "isolation": result.trials[0].run.isolation.level if result.trials else None,
    }


def _exit_code(counts: dict[Standing, int]) -> int:
    from bugloss.show.cli.exit_codes import ENVIRONMENT, FINDINGS, FINE, INCONCLUSIVE

    if counts[Standing.BROKEN]:
        return FINDINGS
    if counts[Standing.FLAKY]:
        return INCONCLUSIVE
    return ENVIRONMENT if counts[Standing.NOT_RUN] else FINE


def _bar(terminal: Console) -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    words = TextColumn("{task.description}", markup=False)
    columns = (words, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(
        *columns,
        console=terminal,
        transient=True,
        disable=not terminal.is_terminal,
        redirect_stdout=False,
        redirect_stderr=False,
    )
