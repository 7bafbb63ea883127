"""What a diagnosis says, in the order in which it is read: cause and remedy, evidence, hints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.cause import CellPlace
from bugloss.core.diagnosis import Cause, Diagnosis, Location, Site, Symptom
from bugloss.core.edit import Edit
from bugloss.core.plural import plural
from bugloss.core.run import Outcome
from bugloss.show.answer.sheet import Part, Sheet
from bugloss.show.formats.frame import CodePlace, changed_lines, code_frame
from bugloss.show.page.excerpt import Source, source_text

_MOST_CAUSES = 3
_LEAST_CONFIDENCE = 0.05  # a cause below is only named: it is one of many that could be thought of
_MOST_EVIDENCE = 4
_MOST_SYMPTOMS = 6
_MOST_EDITS = 3
_MARK_STYLE = {"error": "red", "warning": "yellow", "advice": "cyan"}


@dataclass(frozen=True, slots=True)
class DiagnosisAnswer:
    """A diagnosis, and how to read the program that it is about."""

    diagnosis: Diagnosis
    read: Source
    script: str
    curves: bool = False  # whether only a log of curves was read
    cells: Sequence[CellPlace] = ()  # of the lines of a notebook

    def text(self, path: str) -> str:
        return source_text(path, self.read, self.script) or ""

    def number(self, place: Location | Site) -> Callable[[int], int]:
        """The number that a line is shown with: in a notebook that inside the cell of the place, elsewhere 0."""
        if place.cell is None:
            return int
        inside = {line: cell.line for line, cell in enumerate(self.cells, 1) if cell.number == place.cell.number}
        return lambda line: inside.get(line, 0)


def show_diagnosis(answer: DiagnosisAnswer, sheet: Sheet) -> None:
    """The whole answer but where its page is."""
    diagnosis = answer.diagnosis
    _show_ending(answer, sheet)
    likely = [cause for cause in diagnosis.causes if cause.confirmed or cause.confidence >= _LEAST_CONFIDENCE]
    shown = (likely or list(diagnosis.causes[:1]))[:_MOST_CAUSES]
    for number, cause in enumerate(shown):
        (_show_alternative if number else _show_cause)(cause, answer, sheet)
    stated = {text for cause in shown for text in (cause.explanation, *cause.evidence)}
    unlikely = [cause.cause for cause in diagnosis.causes if cause not in shown]
    if unlikely:
        sheet.gap()
        sheet.paragraph((f"less likely: {', '.join(unlikely)}", "dim"))
    _show_symptoms("seen", [one for one in diagnosis.alarms if one.message not in stated], sheet)
    _show_symptoms("hint", [one for one in diagnosis.symptoms if one.severity.rank == 0], sheet)
    for solved in diagnosis.similar[:1]:
        sheet.entry("similar", f"{solved.bug}, a solved bug: {solved.title}", (f"  bugloss diff {solved.bug}", "bold"))
    sheet.entries("note", diagnosis.remarks, "yellow")


def _show_ending(answer: DiagnosisAnswer, sheet: Sheet) -> None:
    """The all-clear, or why there is none; nothing where causes are named."""
    diagnosis, ending = answer.diagnosis, answer.diagnosis.ending
    if not ending.finished:
        mark, style = ("?", "bold yellow") if _well_so_far(diagnosis) else ("✗", "bold red")
        sheet.heading(mark, style, (f"{Path(answer.script).name or 'the program'} {ending.words}", "bold"))
        if ending.site is not None and not _is_shown_by_a_cause(ending.site, diagnosis.causes):
            _show_place(answer, ending.site, sheet, "red")
        if ending.refused:
            sheet.entry("fix", ("write the script's arguments after --, as in: -- --option value", "green"))
        elif _well_so_far(diagnosis):
            sheet.paragraph("Until then no problem was seen.")
        elif diagnosis.causes:
            sheet.gap()
    elif diagnosis.causes:
        return
    elif diagnosis.alarms:
        unexplained = "there is a problem, but none of the known causes explains it"
        sheet.heading("✗", "bold yellow", ("the curves show a problem" if answer.curves else unexplained, "bold"))
    elif not diagnosis.clear:
        sheet.heading("?", "bold yellow", (f"inconclusive: {diagnosis.doubts[0]}", "bold"))
    elif diagnosis.symptoms:
        hints = plural(len(diagnosis.symptoms), "hint")
        sheet.heading("✓", "bold green", (f"no alarm, but {hints}", "bold"))
    else:
        sheet.heading("✓", "bold green", ("no problem found", "bold"))


def _well_so_far(diagnosis: Diagnosis) -> bool:
    """Whether a training was observed without an alarm until somebody, or the time limit, stopped it."""
    stopped = diagnosis.ending.outcome in {Outcome.INTERRUPTED, Outcome.TIMED_OUT}
    return stopped and not (diagnosis.ending.limit or diagnosis.causes or diagnosis.alarms or diagnosis.gaps)


def _is_shown_by_a_cause(site: Site, causes: Sequence[Cause]) -> bool:
    first = causes[0].locations[:1] if causes else ()
    return any((place.path, place.line) == (site.path, site.line) for place in first)


def _show_cause(cause: Cause, answer: DiagnosisAnswer, sheet: Sheet) -> None:
    """The likeliest cause in full: name, sentence, code, remedy, evidence."""
    sheet.heading("✗", "bold red", (cause.cause, "bold red"), (f"  {_sureness(cause)}", "dim"))
    sheet.paragraph(cause.explanation)
    for place in cause.locations[:1]:
        sheet.gap()
        _show_place(answer, place, sheet, "red", cause.edit)
    sheet.gap()
    _show_remedy(cause, answer, sheet)
    sheet.entries("because", list(_reasons(cause, answer))[:_MOST_EVIDENCE])
    also = [_named(place, cause.locations[0].path) for place in cause.locations[1:3]]
    if also:
        sheet.entry("see", ", ".join(also))


def _show_alternative(cause: Cause, answer: DiagnosisAnswer, sheet: Sheet) -> None:
    """A cause that comes second: in short."""
    where = f"  {_named(cause.locations[0])}" if cause.locations else ""
    sheet.gap()
    sheet.heading("?", "bold yellow", (cause.cause, "bold"), (f"  {_sureness(cause)}{where}", "dim"))
    sheet.paragraph(cause.explanation)
    _show_remedy(cause, answer, sheet)
    sheet.entries("because", list(_reasons(cause, answer))[:1])


def _show_remedy(cause: Cause, answer: DiagnosisAnswer, sheet: Sheet) -> None:
    """The edit with the lines that it changes; where none is known, the advice."""
    edit = cause.edit
    sheet.entry("fix", (edit.text if edit else cause.advice, "green"))
    for path in edit.paths if edit else ():
        before = answer.text(path)
        for line in changed_lines(before, edit.apply(path, before) if edit and edit.fits(path, before) else before):
            sheet.entry("", (line, "green" if line.startswith("+") else "red"))
    sheet.entries("or", [other.text for other in cause.edits[1:_MOST_EDITS]])


def _sureness(cause: Cause) -> str:
    return f"{'confirmed by a trial' if cause.confirmed else f'{cause.confidence:.0%} sure'}, {cause.fix_pattern.value}"


def _reasons(cause: Cause, answer: DiagnosisAnswer) -> Iterator[str]:
    """The evidence, each sentence once; what check says is often what a detector saw, the exception is said above."""
    seen = {_core(cause.explanation), answer.diagnosis.ending.raised}
    for text in cause.evidence:
        if _core(text) not in seen:
            seen.add(_core(text))
            yield text


def _core(text: str) -> str:
    """A sentence without the name of the rule before it."""
    return text.split("): ", 1)[-1].rstrip(".") if text.startswith("check (") else text.rstrip(".")


def _show_place(
    answer: DiagnosisAnswer, place: Location | Site, sheet: Sheet, style: str, edit: Edit | None = None
) -> None:
    """The line in its file; of one that an edit changes, the stretch that is changed."""
    said = place.why if isinstance(place, Location) else ""
    why = f"  {said}" if said and (edit is None or said != edit.text) else ""  # the edit itself is shown below
    sheet.paragraph((_named(place), "bold"), (why, "dim"))
    frame = code_frame(answer.text(place.path), _marked(place, edit), sheet.width, answer.number(place))
    sheet.code(frame, style)


def _marked(place: Location | Site, edit: Edit | None) -> CodePlace:
    if edit is not None and edit.line == place.line:
        span = edit.changes[0].span
        if span.end_line == span.line and span.end_column > span.column:
            return CodePlace(span.line, span.column, span.end_column)
    return CodePlace(place.line)


def _named(place: Location | Site, beside: str = "") -> str:
    """The place; in the file of the one before it only the line."""
    return f"line {place.line}" if place.path == beside and place.cell is None else place.words


def _show_symptoms(label: str, symptoms: Sequence[Symptom], sheet: Sheet) -> None:
    if symptoms:
        sheet.gap()
    for number, symptom in enumerate(symptoms[:_MOST_SYMPTOMS]):
        where = "" if symptom.step is None else f" (step {symptom.step})"
        name: Part = (symptom.name, _MARK_STYLE[symptom.severity.value])
        sheet.entry("" if number else label, name, (where, "dim"), f": {symptom.message}")
    if len(symptoms) > _MOST_SYMPTOMS:
        sheet.entry("", (f"and {len(symptoms) - _MOST_SYMPTOMS} more on the page", "dim"))
