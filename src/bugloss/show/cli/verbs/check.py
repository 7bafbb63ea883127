"""``bugloss check``."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.core.plural import plural
from bugloss.show.cli.door import write_exactly
from bugloss.show.cli.exit_codes import FINDINGS, FINE
from bugloss.show.cli.options import JobsOption, JsonOption, OutputOption

if TYPE_CHECKING:
    from bugloss.check.running.inspection import Inspection
    from bugloss.check.running.selection import Selection
    from bugloss.core.finding import Severity
    from bugloss.show.formats.context import Texts

FORMATS = ("full", "concise", "json", "sarif", "github")

UnsafeOption = Annotated[bool, typer.Option("--unsafe-fixes", help="Also apply suggested fixes, with --fix or --diff.")]
StatisticsOption = Annotated[bool, typer.Option("--statistics", help="Show the number of findings of each rule.")]
TargetOption = Annotated[
    str, typer.Option("--target", help="Framework releases to check against: torch==2.13,keras==3.15")
]
BaselineOption = Annotated[
    Path | None, typer.Option("--baseline", help="Report only findings that are not in this baseline file.")
]
WriteBaselineOption = Annotated[
    Path | None, typer.Option("--write-baseline", help="Write the current findings to a baseline file.")
]
FailOnOption = Annotated[
    str, typer.Option("--fail-on", help="Lowest severity that gives exit code 1: error, warning or advice.")
]
ExitZeroOption = Annotated[bool, typer.Option("--exit-zero", help="Exit with code 0 even if there are findings.")]


def command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]...", help="Files and folders to check. Default: the current folder."),
    ] = None,
    select: Annotated[list[str] | None, typer.Option("--select", help="Rules, groups or categories to enable.")] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", help="Rules, groups or categories to disable.")
    ] = None,
    output_format: Annotated[str, typer.Option("--output-format", help=", ".join(FORMATS) + ".")] = "full",
    fix: Annotated[bool, typer.Option("--fix", help="Apply the safe fixes.")] = False,
    unsafe_fixes: UnsafeOption = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show the changes of --fix without writing them.")] = False,
    statistics: StatisticsOption = False,
    exit_zero: ExitZeroOption = False,
    fail_on: FailOnOption = "warning",
    target: TargetOption = "",
    baseline: BaselineOption = None,
    write_baseline: WriteBaselineOption = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Check all files, including unchanged ones.")] = False,
    jobs: JobsOption = 1,
    output: OutputOption = None,
    json: JsonOption = False,
) -> int:
    """Find deep-learning bugs in source code, without running it and without importing a framework.

    A file that cannot be read or parsed is reported as an error, and the other files are still checked. To ignore the
    findings of a line, end it with the comment "# bugloss: ignore". Options for a project (select, ignore,
    per-file-ignores, target, baseline) are read from the table tool.bugloss of pyproject.toml.

    Exit code: 1 if there are errors or warnings (see --fail-on), else 0.
    """
    from bugloss.check.running.inspection import broken_rules
    from bugloss.show.formats.context import Texts
    from bugloss.workflows.checking import CheckRequest, check

    chosen, least = _known_format("json" if json else output_format), _severity(fail_on)
    request = CheckRequest(
        paths=tuple(paths or [Path()]),
        select=_names(select),
        ignore=_names(ignore),
        target=target,
        baseline=baseline,
        write_baseline=write_baseline,
        jobs=jobs,
        remember=not no_cache,
    )
    for fault in broken_rules():
        print(f"bugloss: skipped: {fault.message}", file=sys.stderr)
    inspection, selection = check(request)
    if diff or fix:
        inspection = _apply_fixes(inspection, selection, diff, unsafe_fixes, chosen)
    if statistics and chosen in {"full", "concise"}:
        _show_statistics(inspection)
    elif not diff or chosen == "json":
        _show(inspection, chosen, Texts(), output)
    serious = any(finding.severity.rank >= least.rank for finding in inspection.findings)
    return FINDINGS if serious and not write_baseline and not exit_zero else FINE


def _severity(name: str) -> Severity:
    from bugloss.core.errors import InvalidInput
    from bugloss.core.finding import Severity

    try:
        return Severity(name)
    except ValueError:
        known = ", ".join(severity.value for severity in Severity)
        raise InvalidInput(f"there is no severity '{name}'.", hint=f"Known: {known}.") from None


def _known_format(name: str) -> str:
    from bugloss.core.errors import InvalidInput

    if name not in FORMATS:
        raise InvalidInput(f"there is no output format '{name}'.", hint=f"Known: {', '.join(FORMATS)}.")
    return name


def _names(given: list[str] | None) -> tuple[str, ...]:
    return tuple(name for part in given or () for name in part.replace(",", " ").split())


def _apply_fixes(inspection: Inspection, selection: Selection, diff: bool, unsafe: bool, chosen: str) -> Inspection:
    """Applies the safe fixes, or shows them; returns the remaining findings."""
    from bugloss.core.finding import Safety
    from bugloss.workflows.checking import apply_fixes

    levels = frozenset({Safety.SAFE, Safety.SUGGESTED} if unsafe else {Safety.SAFE})
    changes, left = apply_fixes(inspection, selection, levels, write=not diff)
    if diff and chosen == "json":
        return inspection  # its findings carry the diffs
    for change in changes:
        if diff:
            write_exactly(change.diff)
        else:
            print(f"{change.path}: {len(change.made)} fixed", file=sys.stderr)
    return replace(inspection, findings=left)


def _show(inspection: Inspection, chosen: str, texts: Texts, output: Path | None) -> None:
    from bugloss.show.cli.files import write_text
    from bugloss.show.cli.terminal import coloured, width
    from bugloss.show.formats.text import WIDTH
    from bugloss.show.formats.writing import write
    from bugloss.show.own_codes import quoted

    on_screen = output is None
    text = write(inspection, chosen, texts, on_screen and coloured(), width(elsewhere=WIDTH) if on_screen else WIDTH)
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(quoted(text), output)
    if chosen not in {"json", "sarif"}:  # these two say in themselves what was skipped
        _show_counts(inspection)


def _show_counts(inspection: Inspection) -> None:
    """What was not checked, and how many findings there are of each severity."""
    counts = Counter(found.severity.value for found in inspection.findings)
    levels = (plural(counts["error"], "error"), plural(counts["warning"], "warning"), f"{counts['advice']} advice")
    for skipped in inspection.skipped:
        print(f"not checked: {skipped.path}: {skipped.reason}", file=sys.stderr)
    files = plural(inspection.files, "file")
    print(f"{files} in {inspection.seconds:.2f} s: {', '.join(levels)}", file=sys.stderr)


def _show_statistics(inspection: Inspection) -> None:
    """A line for each rule, the most frequent first."""
    from bugloss.show.cli.columns import show_columns

    counts = Counter((found.rule, found.severity.value) for found in inspection.findings)
    fixable = Counter(
        (found.rule, found.severity.value) for found in inspection.findings if found.fix and found.fix.edit
    )
    rows = [
        (str(count), kind[1], kind[0], f"{fixable[kind]} with a fix" if fixable[kind] else "")
        for kind, count in counts.most_common()
    ]
    if rows:
        show_columns(("count", "severity", "rule", ""), rows)
    _show_counts(inspection)
