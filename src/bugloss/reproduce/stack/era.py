"""The era of a report: which stack has the releases that it was written for.

Stated releases come first, then what the traceback's paths and the wording of the message give away, then the date,
then the names and parameters that the code uses, held against the API catalogues; else the newest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from bugloss.check.releases.requirement import parse_version
from bugloss.check.releases.written_for import CandidateReleases, clues_against
from bugloss.core.report import FactKind, Reading, Report
from bugloss.core.reproduction import Quote
from bugloss.core.run import RaisedException
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.program.draft import undefined
from bugloss.reproduce.program.repairs import repaired
from bugloss.reproduce.stack.imports import import_for
from bugloss.reproduce.words import rows
from bugloss.source.program import Program
from bugloss.source.text.source_file import Skipped, parse_source


@dataclass(frozen=True, slots=True)
class Era:
    """A stack that could be used: its releases, and when people used them."""

    stack: str
    framework: str  # torch | keras
    releases: Mapping[str, str]
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Choice:
    """A stack with its score and the reasons."""

    stack: str
    score: float
    reasons: tuple[str, ...]
    quotes: tuple[Quote, ...] = ()


_SPANS = {
    "torch": ("torch", date(2022, 1, 1), date(2099, 1, 1)),
    "keras3": ("keras", date(2023, 12, 1), date(2099, 1, 1)),
    "tf2": ("keras", date(2020, 1, 1), date(2023, 12, 1)),
    "keras2-tf1": ("keras", date(2010, 1, 1), date(2020, 1, 1)),
}


def known_eras(releases: Mapping[str, Mapping[str, str]]) -> list[Era]:
    """The eras of the stacks that there are, given the releases of each."""
    return [
        Era(stack, *_SPANS[stack][:1], found, *_SPANS[stack][1:])
        for stack, found in releases.items()
        if stack in _SPANS
    ]


def choose(
    reading: Reading, code: str, exceptions: Sequence[RaisedException], eras: Sequence[Era], as_of: date | None = None
) -> list[Choice]:
    """The stacks in the order in which they should be tried."""
    framework, why = _framework(reading, code)
    fitting = [era for era in eras if era.framework == framework] or list(eras)
    day = as_of or reading.report.created_at
    choices = [_choice(era, reading, code, exceptions, day, why) for era in fitting]
    newest = {era.stack: era.first for era in fitting}
    return sorted(choices, key=lambda one: (-one.score, -newest[one.stack].toordinal()))


def _framework(reading: Reading, code: str) -> tuple[str, str]:
    """torch or keras: by imports, then by names in the code, then by tags and words."""
    imported = set(
        re.findall(
            r"^[^\S\n]*+(?:from|import)\s++(torch\w*|keras|tensorflow|pytorch_lightning|transformers)\b",
            code,
            re.MULTILINE,
        )
    )
    if imported:
        torch = any(name.startswith(("torch", "pytorch")) for name in imported) and not imported & {
            "keras",
            "tensorflow",
        }
        return ("torch" if torch else "keras" if imported & {"keras", "tensorflow"} else "torch"), "its imports"
    marks = (
        r"\bnn\.|\btorch\b|\.backward\(\)|optimizer\.step|\.cuda\(\)|zero_grad|Conv[12]d|MaxPool2d|nn\.Module|DataLoader",
        r"\btf\.|keras|\.fit\(|\.compile\(|model\.add|Conv[12]D|MaxPooling|Dense\(|layers\.",
    )
    first, second = (len(re.findall(mark, code)) for mark in marks)
    if first != second:
        return ("torch" if first > second else "keras"), "the names in its code"
    words = " ".join([*reading.report.tags, reading.report.title, reading.report.body]).lower()
    first, second = len(re.findall(r"torch", words)), len(re.findall(r"keras|tensorflow|\btf\b", words))
    return ("torch" if first >= second else "keras"), "its words"


def _choice(
    era: Era, reading: Reading, code: str, exceptions: Sequence[RaisedException], day: date | None, why: str
) -> Choice:
    score, reasons, quotes = 0.0, [f"{era.framework} by {why}"], []
    for weight, reason, quote in (
        *_stated(era, reading),
        *_given_away(era, reading, code, exceptions),
        *_dated(era, day),
        *_fingerprint(era, code),
    ):
        score += weight
        reasons.append(reason)
        quotes += [quote] if quote is not None else []
    return Choice(era.stack, round(score, 3), tuple(reasons), tuple(quotes))


_Speaks = tuple[float, str, Quote | None]


def _stated(era: Era, reading: Reading) -> Iterator[_Speaks]:
    """Releases that the report names. There may be several: the one of today is stated last."""
    facts = [fact for fact in reading.about(FactKind.VERSION) if fact.name in {"torch", "keras", "tensorflow"}]
    body = reading.report.body
    for place, fact in enumerate(facts):
        if fact.name not in era.releases:
            continue
        distance = _distance(fact.name, parse_version(fact.value), parse_version(era.releases[fact.name]))
        later = 1.0 + 0.3 * place
        yield (
            later * (4.0 - distance),
            f"{fact.name} {fact.value} is stated",
            Quote(body[fact.start : fact.end], fact.start, fact.end),
        )


def _distance(package: str, stated: tuple[int, ...], have: tuple[int, ...]) -> float:
    """How far two releases are apart: Keras 3 and 2, TensorFlow 1, 2 and 2.16 are different worlds."""
    if not stated:
        return 3.0
    worlds = [_world(package, one) for one in (stated, have)]
    minor = abs((stated[1] if len(stated) > 1 else have[1]) - have[1]) * 0.05 if stated[0] == have[0] else 0.5
    return abs(worlds[0] - worlds[1]) * 3.0 + min(minor, 1.0)


def _world(package: str, version: tuple[int, ...]) -> int:
    if package == "keras":
        return 2 if version >= (3,) else 1 if version >= (2, 4) else 0
    if package == "tensorflow":
        return 2 if version >= (2, 16) else 1 if version >= (2,) else 0
    return 0


def _given_away(era: Era, reading: Reading, code: str, exceptions: Sequence[RaisedException]) -> Iterator[_Speaks]:
    """What the paths of a traceback, the wording of a message and bygone words in the code say, each once."""
    paths = "\n".join(frame.path for exception in exceptions for frame in exception.frames)
    messages = "\n".join(exception.message for exception in exceptions) or reading.report.body
    for where, text, words in (
        ("path", paths, "the paths of its traceback"),
        ("message", messages, "the wording of its message"),
        ("code", code, "deprecated names in its code"),
    ):
        marks = [row for row in rows("eras", 4) if row[0] == where and row[1] == era.stack]
        weights = [float(weight) for _, _, weight, pattern in marks if re.search(pattern, text, re.DOTALL)]
        if weights:
            yield max(weights), words, None


def _dated(era: Era, day: date | None) -> Iterator[_Speaks]:
    if day is not None and era.first <= day < era.last:
        yield 1.5, f"it was written on {day.isoformat()}", None


def _with_imports(code: str, era: Era) -> str:
    """The code with its missing imports: without them the origin of names is not known."""
    repaired_text = repaired(code)
    evidence = EditEvidence(Reading(Report("", "")), Expectation(ExpectationKind.UNKNOWN), era.releases)
    statements = [import_for(name, repaired_text, evidence) for name in undefined(repaired_text)]
    return "\n".join([*(one for one in statements if one is not None), repaired_text])


def _fingerprint(era: Era, code: str) -> Iterator[_Speaks]:
    """What the code uses that the releases lack or call outdated."""
    source = parse_source(_with_imports(code, era), "report.py")
    if isinstance(source, Skipped):
        return
    clues = sorted(
        clues_against(Program(source), CandidateReleases(era.stack, era.releases)), key=lambda clue: -clue.weight
    )
    if clues:
        words = ", ".join(clue.words for clue in clues[:4])
        yield -0.4 * min(sum(clue.weight for clue in clues), 6.0), f"lacks {words}", None
