"""A check as people ask for it: settings of the project, baseline, fixes."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss.check.releases.target import parse_target
from bugloss.check.running.baseline import without_known, write_baseline
from bugloss.check.running.configuration import Configuration, read_configuration
from bugloss.check.running.inspection import Inspection, all_rules, check_paths, check_text
from bugloss.check.running.problems import CHECK_FAILED, PROBLEMS, UNREADABLE_FILE
from bugloss.check.running.safe_fixes import SAFE_ONLY, fix_text
from bugloss.check.running.selection import Selection
from bugloss.core.errors import InvalidInput
from bugloss.core.failure_text import in_one_line
from bugloss.core.finding import Finding, Safety
from bugloss.core.named_file import read_named
from bugloss.core.suggestion import did_you_mean
from bugloss.core.text_diff import text_diff
from bugloss.core.written_file import write_named
from bugloss.source.text.source_file import LARGEST_BYTES, Skipped, encoded_like, read_source
from bugloss.workflows.check_memory import check_memory


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What to check and how; what is left empty comes from the project's settings."""

    paths: tuple[Path, ...]
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    target: str = ""
    baseline: Path | None = None
    write_baseline: Path | None = None
    jobs: int = 1
    remember: bool = True


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file that fixes changed, or would change."""

    path: str
    diff: str
    made: tuple[Finding, ...]
    left: tuple[Finding, ...]


def check(request: CheckRequest) -> tuple[Inspection, Selection]:
    """The findings of the request, less what the baseline knows."""
    for path in request.paths:
        if not os.path.lexists(path):
            raise InvalidInput(f"{path} does not exist.")
    configuration = read_configuration(request.paths[0])
    selection = _selection(request, configuration)
    memory = check_memory() if request.remember else None
    inspection = check_paths(request.paths, selection, request.jobs, memory)
    if request.write_baseline is not None:
        write_baseline(request.write_baseline, inspection.findings, _Lines())
    baseline = request.baseline or configuration.baseline
    if baseline is not None:
        fresh = without_known(inspection.findings, baseline, _Lines())
        inspection = replace(inspection, findings=tuple(fresh))
    return inspection, selection


def check_open_file(text: str, path: Path) -> list[Finding]:
    """The findings in the text of a file as an editor has it, by the settings of its project."""
    request = CheckRequest((path,))
    selection = _selection(request, read_configuration(path))
    return sorted(check_text(text, selection, str(path)), key=lambda finding: (finding.span, finding.rule))


def apply_fixes(
    inspection: Inspection, selection: Selection, safety: frozenset[Safety] = SAFE_ONLY, *, write: bool
) -> tuple[list[FixedFile], tuple[Finding, ...]]:
    """Applies the fixes of these safety levels file by file; returns the changes and the findings that stay."""
    by_file: dict[str, list[Finding]] = defaultdict(list)
    for finding in inspection.findings:
        by_file[finding.path].append(finding)
    changes: list[FixedFile] = []
    left: list[Finding] = []
    for path, findings in by_file.items():
        try:
            change = None if path.endswith(".ipynb") else _fix_file(path, findings, selection, safety, write)
        except OSError as error:  # the other files are fixed all the same
            change = None
            left.append(UNREADABLE_FILE.at(path, f"the fixes of this file cannot be written: {error.strerror}"))
        except Exception as error:  # ours
            change = None
            left.append(CHECK_FAILED.at(path, f"this file could not be fixed: {in_one_line(error)}"))
        if change is None:
            left += findings
        else:
            changes.append(change)
            left += change.left
    return changes, tuple(left)


def _fix_file(
    path: str, findings: list[Finding], selection: Selection, safety: frozenset[Safety], write: bool
) -> FixedFile | None:
    """One file, written back in its own encoding and with its own line ends; None when nothing is to be changed."""
    source = read_source(Path(path), path)
    if isinstance(source, Skipped):
        return None
    fixed = fix_text(source.text, path, findings, selection, safety)
    if not fixed.made:
        return None
    if write:
        content = encoded_like(read_named(Path(path), LARGEST_BYTES), fixed.text)
        if content is None:
            return None
        write_named(Path(path).resolve(), content)  # a link stays one: the file that was checked is written
    left = fixed.left if write else tuple(finding for finding in findings if finding not in fixed.made)
    return FixedFile(path, text_diff(source.text, fixed.text, f"a/{path}", f"b/{path}"), fixed.made, left)


def _selection(request: CheckRequest, configuration: Configuration) -> Selection:
    selection = Selection(
        select=request.select or configuration.select,
        ignore=(*request.ignore, *configuration.ignore),
        per_file_ignores=tuple((configuration.per_file_ignores or {}).items()),
        target=parse_target(request.target or configuration.target),
    )
    known = {name for rule in all_rules() for name in (rule.name, rule.category.value, *rule.groups)} | {"all"}
    known |= {problem.name for problem in PROBLEMS}
    per_file = [name for _, names in selection.per_file_ignores for name in names]
    for name in (*selection.select, *selection.ignore, *per_file):
        if name not in known:
            hint = did_you_mean(name, known) or "List the rules: bugloss rule"
            raise InvalidInput(f"there is no rule, group or category '{name}'.", hint=hint)
    return selection


class _Lines:
    """The line of a finding; each file is read once."""

    def __init__(self) -> None:
        self._lines: dict[str, tuple[str, ...]] = {}

    def __call__(self, finding: Finding) -> str:
        if finding.path not in self._lines:
            source = read_source(Path(finding.path), finding.path)
            self._lines[finding.path] = () if isinstance(source, Skipped) else source.lines
        lines = self._lines[finding.path]
        return lines[finding.span.line - 1] if finding.span.line <= len(lines) else ""
