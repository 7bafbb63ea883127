"""From the name of a report to its triage: read, take apart, judge, and look for solved bugs that are like it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bugloss.core.cache import cache_folder
from bugloss.core.errors import BuglossError
from bugloss.core.report import Reading
from bugloss.core.taxonomy import Information
from bugloss.core.triage import Recommendation, SimilarBug, Triage, TypeGuess
from bugloss.intake.given import parse_report, read_report
from bugloss.intake.reading import take_apart
from bugloss.intake.remote import Library
from bugloss.triage.judgement import triage

_KEYS = {
    Information.DATA: "data",
    Information.MODEL: "model",
    Information.HYPERPARAMETERS: "hyperparameters",
    Information.CODE: "code",
    Information.LOGS: "logs",
}


@dataclass(frozen=True, slots=True)
class Triaged:
    """A report taken apart, and what triage says of it."""

    reading: Reading
    result: Triage


def triage_text(text: str, *, similar: int = 3) -> Triaged:
    """Triages a report that was pasted: plain text, Markdown, HTML, or JSON of Stack Exchange or GitHub."""
    return triage_reading(read_pasted(text), similar=similar)


def triage_reading(reading: Reading, *, similar: int = 3) -> Triaged:
    """Triages a report that was taken apart."""
    return Triaged(reading, replace(triage(reading), similar=_similar(reading, similar)))


def triage_report(given: str, *, offline: bool = False, method: str = "bugloss", similar: int = 3) -> Triaged:
    """Reads the report that ``given`` names and triages it."""
    reading = read(given, offline=offline)
    result = triage(reading, _guess_of(method, reading))
    return Triaged(reading, replace(result, similar=_similar(reading, similar)))


def _guess_of(method: str, reading: Reading) -> TypeGuess | None:
    if method != "dlrepro":
        return None
    from bugloss.triage.dlrepro import guess_type

    return guess_type(reading.report)


def read_pasted(text: str) -> Reading:
    """A report that was pasted, taken apart."""
    return take_apart(parse_report(text.encode(errors="replace"), "the text"))


def read(given: str, *, offline: bool = False) -> Reading:
    """The report that a file, standard input, ``so:`` or ``gh:`` number names, taken apart."""
    return take_apart(read_report(given, Library(cache_folder() / "reports", offline)))


def _similar(reading: Reading, limit: int) -> tuple[SimilarBug, ...]:
    """Solved bugs that are like it; none where the corpus is not at hand."""
    from bugloss.corpus.collection import load
    from bugloss.workflows.lookup import bugs_like

    try:
        return bugs_like(reading, load(), limit)
    except BuglossError:
        return ()


def _recommended(found: Recommendation) -> dict[str, object]:
    edit = found.edit
    mined = {"confidence": found.confidence, "support": found.support, "of": found.of}
    explained = {"explanation": found.explanation, "example": found.example}
    return {"action": edit.action, **mined, **explained, "edit": edit.code, "needed": edit.needed, "why": edit.why}


def document(triaged: Triaged) -> dict[str, object]:
    """The document ``bugloss.triage/1``."""
    result, report = triaged.result, triaged.reading.report
    origin = result.origin
    return {
        "bug_type": result.bug_type,
        "deep_learning": result.deep_learning,
        "origin": {
            "label": "extrinsic" if origin.extrinsic else "intrinsic",
            "probability": origin.probability,
            "kind": origin.kind,
            "evidence": origin.evidence,
        },
        "information": {_KEYS[kind]: state for kind, state in result.information.items()},
        "score": result.score,
        "questions": result.questions,
        "edit_actions": [_recommended(one) for one in result.edit_actions],
        "similar": result.similar,
        "enough": result.enough,
        "framework": result.framework,
        "remarks": result.remarks,
        "facts": triaged.reading.facts,
        "report": {
            "title": report.title,
            "body": report.body,
            "tags": report.tags,
            "created_at": report.created_at.isoformat() if report.created_at else None,
            "url": report.url,
            "source": report.source,
        },
    }
