"""The page *Ask*: what is read from a pasted traceback, program or report, without running anything."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.check.running.fixing import apply_fixes
from bugloss.check.running.inspection import check_text
from bugloss.check.running.selection import Selection
from bugloss.core.finding import Finding, Safety
from bugloss.core.report import BlockKind, Reading
from bugloss.core.text_diff import text_diff
from bugloss.core.triage import Recommendation, Triage
from bugloss.corpus.collection import Corpus
from bugloss.show.web.views.report import ReportView, view_report
from bugloss.workflows.lookup import Lookup, look_up
from bugloss.workflows.triage import triage_text

LONGEST = 200_000
_AROUND = 2
_MOST_FINDINGS = 20
_PASTED = "pasted.py"


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of the pasted program; ``marked`` where a finding is."""

    number: int
    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding with its lines, and its fix as a diff."""

    rule: str
    severity: str
    message: str
    lines: tuple[CodeLine, ...]
    fix: str
    diff: str


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """A program in the text, and what the rules say of it."""

    name: str
    lines: int
    findings: tuple[FindingView, ...]


@dataclass(frozen=True, slots=True)
class EditView:
    """An edit that a reproduction would need."""

    title: str
    why: str
    needed: bool
    code: str
    example: str
    support: str


@dataclass(frozen=True, slots=True)
class AskView:
    """The answer; ``triage`` and what belongs to it is missing where a bare program was pasted."""

    is_program: bool
    found: Lookup
    programs: tuple[CheckedProgram, ...]
    triage: Triage | None = None
    report: ReportView | None = None
    edits: tuple[EditView, ...] = ()
    quotes: tuple[str, ...] = ()
    similar: tuple[tuple[str, str, float, str], ...] = ()  # bugs that only the report's words resemble

    @property
    def has_type(self) -> bool:
        """Whether the type is worth showing: a bare traceback has few words, and a cause that is known says more."""
        return self.triage is not None and (self.triage.deep_learning or not self.found.causes)

    @property
    def findings(self) -> int:
        return sum(len(program.findings) for program in self.programs)


def answer(text: str, corpus: Corpus) -> AskView:
    """What can be said of a text at once."""
    text = text[:LONGEST]
    found = look_up(text, corpus)
    if is_program(text):
        return AskView(True, found, (check_program(_PASTED, text),))
    triaged = triage_text(text)
    result = triaged.result
    shown = {match.bug for match in found.matches}
    return AskView(
        False,
        found,
        tuple(_programs(triaged.reading)),
        result,
        view_report(triaged.reading),
        tuple(_edit(one) for one in result.edit_actions),
        tuple(dict.fromkeys(" ".join(one.text.split()) for one in result.bug_type.evidence))[:6],
        tuple(
            (one.bug, one.title, one.score, "; ".join(one.why[:2])) for one in result.similar if one.bug not in shown
        ),
    )


def is_program(text: str) -> bool:
    """Whether a text is Python, and more than words that happen to parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    telling = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.With, ast.For)
    return any(isinstance(node, telling) for node in tree.body)


def _programs(reading: Reading) -> Iterator[CheckedProgram]:
    for number, block in enumerate(reading.of_kind(BlockKind.CODE), start=1):
        if is_program(block.text):
            yield check_program(f"code block {number}", block.text)


def check_program(name: str, text: str) -> CheckedProgram:
    """A program with the findings of all rules, the worst first."""
    findings = check_text(text, Selection(), _PASTED)
    ordered = sorted(findings, key=lambda one: (-one.severity.rank, one.span.line))[:_MOST_FINDINGS]
    return CheckedProgram(name, len(text.splitlines()), tuple(_finding(one, text) for one in ordered))


def _finding(finding: Finding, text: str) -> FindingView:
    lines = text.split("\n")
    first, last = finding.span.line, min(finding.span.end_line, finding.span.line + 4)
    numbers = range(max(first - _AROUND, 1), min(last + _AROUND, len(lines)) + 1)
    fix = finding.fix
    fixed, _ = apply_fixes(text, [finding], frozenset(Safety))
    return FindingView(
        finding.rule,
        finding.severity.value,
        finding.message,
        tuple(CodeLine(number, lines[number - 1], first <= number <= last) for number in numbers),
        fix.title if fix else "",
        text_diff(text, fixed, "before", "after") if fixed != text else "",
    )


def _edit(found: Recommendation) -> EditView:
    return EditView(
        found.action.title,
        found.edit.why or found.explanation,
        bool(found.edit.needed),
        found.edit.code,
        found.example if not found.edit.code else "",
        f"{found.support} of {found.of} similar bugs needed it",
    )
