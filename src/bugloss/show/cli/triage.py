"""A triage for people: the answer first, then what decided it, what is missing, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bugloss.show.cli.output import console
from bugloss.show.cli.terminal import coloured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bugloss.core.report import Report
    from bugloss.core.triage import Recommendation, ReportWords, Triage
    from bugloss.workflows.triage import Triaged

_BAR = 24
_AROUND = 36  # characters of context on either side of a word that decided


def show_triage(triaged: Triaged) -> None:
    """Prints a triage."""
    report, result = triaged.reading.report, triaged.result
    screen = console()
    screen.print(Text(report.title or "(no title)", "bold"))
    screen.print(Text(_summary(report, result), "dim"))
    for remark in result.remarks:
        screen.print(Text(f"! {remark}", "yellow"))
    parts = [
        ("Type", _type(result)),
        ("Decided by", _quotes(report, result.bug_type.evidence)),
        ("Origin", _origin(report, result)),
    ]
    parts += [("Information", _information(result)), ("Ask", _questions(result)), ("To reproduce it", _actions(result))]
    parts += [("Similar solved bugs", _similar(result))]
    for title, part in parts:
        if part is not None:
            screen.print()
            screen.print(Text(title, "bold cyan"))
            screen.print(Padding(part, (0, 0, 0, 2)))


def _summary(report: Report, result: Triage) -> str:
    facts = [report.source.value, result.framework, ", ".join(report.tags), report.url]
    return " · ".join(fact for fact in facts if fact)


def _bar(share: float, colour: str) -> Text:
    filled = round(share * _BAR)
    return Text.assemble(("█" * filled, colour), ("·" * (_BAR - filled), "dim"), f" {share:4.0%}")


def _type(result: Triage) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    guess = result.bug_type
    table.add_row(
        Text(guess.label.title, "bold"), _bar(guess.probability, "green"), Text(guess.label.definition, "dim")
    )
    for other in guess.alternatives[:3]:
        table.add_row(Text(other.label), _bar(other.probability, "blue"), "")
    return table


def _quotes(report: Report, evidence: Sequence[ReportWords]) -> RenderableType | None:
    if not evidence:
        return None
    return Group(*(_quote(report, found) for found in evidence))


def _quote(report: Report, found: ReportWords) -> Text:
    """The words in their line, with a little around them."""
    text = report.title if found.where == "title" else report.body
    before = text[max(found.start - _AROUND, 0) : found.start].rsplit("\n", 1)[-1]
    after = text[found.end : found.end + _AROUND].split("\n", 1)[0]
    place = "title" if found.where == "title" else f"{found.start}"
    words = " ".join(text[found.start : found.end].split())
    return Text.assemble(
        (f"{place:>6}  ", "dim"), (before.lstrip(), "dim"), (words, "bold yellow"), (after.rstrip(), "dim")
    )


def _origin(report: Report, result: Triage) -> RenderableType:
    origin = result.origin
    name = "extrinsic: the cause is outside the project" if origin.extrinsic else "intrinsic: the cause is in the code"
    line = Text.assemble(_bar(origin.probability, "green"), f"  {name}")
    if origin.kind is not None:
        line.append(f" ({origin.kind.title.lower()})")
    quotes = _quotes(report, origin.evidence) if origin.extrinsic else None
    return Group(line, quotes) if quotes is not None else line


def _information(result: Triage) -> RenderableType:
    table = Table(box=None, pad_edge=False, show_header=False)
    for kind, state in result.information.items():
        mark = Text("✓", "green") if state.present else Text("✗", "red")
        first = " ".join(state.evidence[0].text.split()) if state.evidence else "missing"
        worth = f"in {state.useful:.0%} of reproduced reports" if state.useful else ""
        shown = first if len(first) <= 60 else f"{first[:59]}…"
        table.add_row(mark, Text(kind.title), Text(shown, "dim" if state.present else "red"), Text(worth, "dim"))
    return Group(
        Text.assemble(_bar(result.score / 100, "green"), "  of the information that a reproduction needs"), table
    )


def _questions(result: Triage) -> RenderableType | None:
    if not result.questions:
        return None
    return Group(*(Text(f"{number}. {text}") for number, text in enumerate(result.questions, 1)))


def _actions(result: Triage) -> RenderableType | None:
    if not result.edit_actions:
        return None
    return Group(*(_action(action) for action in result.edit_actions))


def _action(found: Recommendation) -> RenderableType:
    style = "bold" if found.edit.needed else "dim"
    head = Text.assemble(
        (found.action.title, style), (f"  {found.support} of {found.of} similar bugs needed it", "dim")
    )
    if not found.edit.needed:
        head.append(f" – not needed here: {found.edit.why}", "dim")
        return head
    lines: list[RenderableType] = [head, Padding(Text(found.explanation), (0, 0, 0, 2))]
    if found.edit.why:
        lines.append(Padding(Text(f"here: {found.edit.why}", "yellow"), (0, 0, 0, 2)))
    code, kind = (found.edit.code, "for this report") if found.edit.code else (found.example, "for example")
    lines.append(Padding(Text(kind, "dim"), (0, 0, 0, 2)))
    lines.append(Padding(_code(code), (0, 0, 1, 4)))
    return Group(*lines)


def _code(code: str) -> RenderableType:
    """Code in colours where there are any; what colours it takes long to load."""
    if not coloured():
        return Text(code)
    from rich.syntax import Syntax

    lexer = "diff" if code.startswith("-") else "python"
    return Syntax(code, lexer, theme="ansi_dark", background_color="default")


def _similar(result: Triage) -> RenderableType | None:
    if not result.similar:
        return None
    table = Table(box=None, pad_edge=False, show_header=False)
    for bug in result.similar:
        table.add_row(Text(bug.bug, "bold"), f"{bug.score:.2f}", Text(bug.title), Text("; ".join(bug.why[:1]), "dim"))
    return table
