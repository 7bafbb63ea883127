"""What ``run`` and ``diagnose`` do once a program has ended: diagnose, write the page, say it in a few lines."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.record.runs import RunFolder

if TYPE_CHECKING:
    from bugloss.core.diagnosis import Cause, Diagnosis
    from bugloss.observe.tools.contract import ToolAnswer
    from bugloss.workflows.diagnosis import Examined

_MOST_SYMPTOMS = 6


def finish(folder: RunFolder, *, quiet: bool) -> Examined:
    """Diagnoses a run that ended and says on standard error what was seen."""
    from bugloss.workflows.diagnosis import examine

    examined = examine(folder)
    write_page(examined)
    if not quiet:
        print("\n" + "\n".join(summary(examined.diagnosis)), file=sys.stderr)
        print(f"bugloss: {shown(folder.report)}   (bugloss report {folder.id})", file=sys.stderr)
    return examined


def write_page(examined: Examined) -> Path:
    """The page for the browser."""
    from bugloss.show.page import page

    examined.folder.write_text(
        "report.html", page(examined.recording, examined.diagnosis, examined.facts, examined.case.sources.read)
    )
    return examined.folder.report


def given_input() -> int:
    """Standard input where it is a file or a pipe; a sandboxed program gets no terminal, into which it could type."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return subprocess.DEVNULL
    return 0 if stat.S_ISREG(mode) or stat.S_ISFIFO(mode) else subprocess.DEVNULL


def chosen_words(diagnosis: Diagnosis) -> str:
    """Where the program ran, and why there."""
    where = diagnosis.environment
    if where is None or not where.reason:
        return ""
    place = f"the stack {where.stack}" if where.stack else where.python
    added = f" with {', '.join(where.added)}" if where.added else ""
    return f"ran in {place}{added}: {where.reason}"


def exit_code(diagnosis: Diagnosis) -> int:
    """0 is an all-clear: it needs a training that was seen to a good end, by detectors that all worked."""
    from bugloss.show.cli.exit_codes import FINDINGS, FINE, INCONCLUSIVE

    return FINDINGS if diagnosis.troubled else FINE if diagnosis.clear else INCONCLUSIVE


def summary(diagnosis: Diagnosis) -> list[str]:
    """The diagnosis in a few lines: how the run ended, causes with their places, then what was seen."""
    alarms = diagnosis.alarms
    lines = _verdict_lines(diagnosis)
    for number, cause in enumerate(diagnosis.causes[:3], start=1):
        lines += _cause_lines(number, cause)
    if alarms:
        lines.append("seen:")
        lines += [
            f"  {symptom.severity.value:<7} {symptom.name}{_where(symptom.step)}: {symptom.message}"
            for symptom in alarms[:_MOST_SYMPTOMS]
        ]
        if len(alarms) > _MOST_SYMPTOMS:
            lines.append(f"  and {len(alarms) - _MOST_SYMPTOMS} more")
    lines += [
        f"solved before: {solved.bug} ({solved.title}); bugloss diff {solved.bug} shows the fix"
        for solved in diagnosis.similar[:1]
    ]
    lines += [f"note: {remark}" for remark in diagnosis.remarks]
    return lines


def _verdict_lines(diagnosis: Diagnosis) -> list[str]:
    """The all-clear, or what stands against it; nothing where causes and symptoms speak for themselves."""
    ending = diagnosis.ending
    if diagnosis.clear:
        return ["bugloss: nothing wrong was seen"]
    if not ending.finished:
        site = ending.site
        where = [f"   {site.path}:{site.line}  {site.text}".rstrip()] if site else []
        return [f"bugloss: the program {ending.words}", *where]
    if diagnosis.causes or diagnosis.alarms:
        return []
    return [f"bugloss: no all-clear: {diagnosis.doubts[0]}"]


def answer_lines(answer: ToolAnswer) -> list[str]:
    """What a named tool says, in a few lines."""
    lines = [f"{answer.tool}:" if answer.causes or answer.suspects else f"{answer.tool}: names no cause"]
    lines += [f"  {cause.cause} ({cause.confidence:.0%}): {cause.explanation}" for cause in answer.causes[:3]]
    for suspect in answer.suspects[:_MOST_SYMPTOMS]:
        unit = "" if suspect.unit is None else f", unit {suspect.unit}"
        lines.append(f"  {suspect.layer}{unit} {suspect.score:.3f}  {suspect.why}")
    return lines + [f"  note: {remark}" for remark in answer.remarks]


def _cause_lines(number: int, cause: Cause) -> list[str]:
    sure = "confirmed" if cause.confirmed else f"{cause.confidence:.0%}"
    lines = [f"{number}. {cause.cause} ({sure}, {cause.fix_pattern.value}): {cause.explanation}"]
    lines += [f"   {location.path}:{location.line}  {location.why}" for location in cause.locations[:2]]
    lines += [f"   because {text}" for text in cause.evidence[:3]]
    return [*lines, f"   try: {cause.change}"]


def _where(step: int | None) -> str:
    return "" if step is None else f" (step {step})"


def shown(path: Path) -> str:
    """A path as short as it can be typed."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return str(path)
