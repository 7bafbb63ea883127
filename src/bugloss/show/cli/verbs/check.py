"""``bugloss check``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.door import write_exactly
from bugloss.show.cli.exit_codes import FINDINGS, FINE
from bugloss.show.cli.options import JobsOption, JsonOption, OutputOption

if TYPE_CHECKING:
    from bugloss.check.running.inspection import Inspection
    from bugloss.check.running.selection import Selection
    from bugloss.show.formats.context import Texts

FORMATS = ("full", "concise", "json", "sarif", "github")


def command(
    paths: Annotated[list[Path] | None, typer.Argument(metavar="[PATH]...", help="Files and folders; here.")] = None,
    select: Annotated[list[str] | None, typer.Option("--select", help="Rules, groups or categories to ask.")] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", help="Rules, groups or categories to leave out.")
    ] = None,
    output_format: Annotated[str, typer.Option("--output-format", help=", ".join(FORMATS) + ".")] = "full",
    fix: Annotated[bool, typer.Option("--fix", help="Apply the safe fixes.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change, and change nothing.")] = False,
    target: Annotated[str, typer.Option("--target", help="Releases to check against: torch==2.13,keras==3.15")] = "",
    baseline: Annotated[
        Path | None, typer.Option("--baseline", help="Report only what this file does not know.")
    ] = None,
    write_baseline: Annotated[Path | None, typer.Option("--write-baseline", help="Make such a file of now.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Check every file anew.")] = False,
    jobs: JobsOption = 1,
    output: OutputOption = None,
    json: JsonOption = False,
) -> int:
    """Find deep-learning bugs in source code, before anything runs and without importing a framework.

    Exit code: 1 when there are errors or warnings, 0 when there are none (advice does not count). A file that does not
    parse or cannot be read is an error, and the others are checked all the same. A line is excused
    with # bugloss: ignore[rule]; projects set select, ignore, per-file-ignores, target, baseline in [tool.bugloss].
    """
    from bugloss.check.running.inspection import broken_rules
    from bugloss.core.errors import InvalidInput
    from bugloss.show.formats.context import Texts
    from bugloss.workflows.checking import CheckRequest, check

    chosen = "json" if json else output_format
    if chosen not in FORMATS:
        raise InvalidInput(f"there is no output format '{chosen}'.", hint=f"Known: {', '.join(FORMATS)}.")
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
        print(f"bugloss: left out: {fault.message}", file=sys.stderr)
    inspection, selection = check(request)
    if diff or fix:
        inspection = _mend(inspection, selection, diff, chosen)
    if not diff or chosen == "json":
        _show(inspection, chosen, Texts(), output)
    serious = [finding for finding in inspection.findings if finding.severity.rank > 0]
    return FINDINGS if serious and not write_baseline else FINE


def _names(given: list[str] | None) -> tuple[str, ...]:
    return tuple(name for part in given or () for name in part.replace(",", " ").split())


def _mend(inspection: Inspection, selection: Selection, diff: bool, chosen: str) -> Inspection:
    """Applies the safe fixes, or shows them; returns what is left."""
    from bugloss.workflows.checking import mend

    changes, left = mend(inspection, selection, write=not diff)
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
    from bugloss.show.cli.terminal import coloured
    from bugloss.show.formats.writing import write
    from bugloss.show.own_codes import quoted

    text = write(inspection, chosen, texts, output is None and coloured())
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(quoted(text), output)
    if chosen not in {"json", "sarif"}:  # these two say in themselves what was skipped
        levels = ("error", "warning", "advice")
        counts = {level: sum(found.severity.value == level for found in inspection.findings) for level in levels}
        words = ", ".join(f"{count} {level}" for level, count in counts.items())
        for skipped in inspection.skipped:
            print(f"not checked: {skipped.path}: {skipped.reason}", file=sys.stderr)
        print(f"{inspection.files} files in {inspection.seconds:.2f} s: {words}", file=sys.stderr)
