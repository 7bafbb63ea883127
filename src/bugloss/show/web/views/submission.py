"""The page *Submit*: a new bug as a form, and contributions as lists."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bugloss.core.bug import Framework, OracleKind, OriginKind
from bugloss.core.errors import InvalidInput
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType, Label, Origin, Property, SymptomType
from bugloss.record.store.contributions import ContributionState, Objection, ObjectionKind, Review, SubmittedBug
from bugloss.stacks.stack import stack_names

LABELS: Mapping[str, type[Label]] = {
    "category": Category,
    "bug_type": BugType,
    "general_type": GeneralType,
    "symptom": SymptomType,
    "property": Property,
    "fix_pattern": FixPattern,
    "origin": Origin,
}
_TONES = {
    ContributionState.ACCEPTED: "good",
    ContributionState.REFUSED: "bad",
    ContributionState.REJECTED: "bad",
    ContributionState.OPEN: "warn",
}
_TEXTS = {"report": "report.md", "test": "test.py"}


@dataclass(frozen=True, slots=True)
class Choices:
    """One select of the form."""

    name: str
    title: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ContributionRow:
    """A submission or an objection in the list."""

    id: str
    what: str
    title: str
    state: str
    tone: str
    when: str
    is_open: bool
    bug: str = ""


def form_choices() -> tuple[Choices, ...]:
    """The selects of a new bug."""
    labels = tuple(
        Choices(f"label_{name}", name.replace("_", " "), tuple((label.value, label.title) for label in facet))
        for name, facet in LABELS.items()
    )
    return (
        Choices("framework", "framework", tuple((one.value, one.value) for one in Framework)),
        Choices("stack", "stack", tuple((name, name) for name in stack_names())),
        Choices("origin_kind", "reported on", tuple((one.value, one.value) for one in OriginKind)),
        Choices("oracle", "oracle", tuple((one.value, one.value) for one in OracleKind)),
        *labels,
    )


def files_of_form(form: Mapping[str, str]) -> dict[str, bytes]:
    """The folder of a bug from the fields of the form; lint looks at everything that is not missing."""
    missing = [name for name in ("title", "url", "report", "buggy", "fixed", "test") if not form.get(name, "").strip()]
    if missing:
        raise InvalidInput(f"the form lacks: {', '.join(missing)}.", hint="Fill in these fields, and send it again.")
    framework = form.get("framework", "")
    prefix = next((one.prefix for one in Framework if one.value == framework), "torch")
    texts = {file: form[name] for name, file in _TEXTS.items()}
    texts |= {f"{side}/program.py": form[side] for side in ("buggy", "fixed")}
    texts["bug.toml"] = "\n".join(_bug_file(form, f"{prefix}-0000")) + "\n"
    return {name: (text.replace("\r\n", "\n").rstrip() + "\n").encode() for name, text in texts.items()}


def _bug_file(form: Mapping[str, str], bug: str) -> Iterator[str]:
    facts = {"id": bug, "title": form["title"], "framework": form.get("framework", ""), "stack": form.get("stack", "")}
    yield from (f"{key} = {json.dumps(value)}" for key, value in {**facts, "entry": "program.py"}.items())
    yield f"seconds = {_number(form.get('seconds', ''))}"
    tables: Mapping[str, Mapping[str, str]] = {
        "origin": {"kind": form.get("origin_kind", ""), "url": form["url"]},
        "labels": {name: form.get(f"label_{name}", "") for name in LABELS},
        "oracle": {
            "kind": form.get("oracle", ""),
            **{name: form[name] for name in ("exception", "message", "raised_in") if form.get(name)},
        },
        "data": {"recipe": form.get("data") or "generated", "licence": form.get("licence") or "none needed: generated"},
    }
    for table, values in tables.items():
        yield f"\n[{table}]"
        yield from (f"{key} = {json.dumps(value)}" for key, value in values.items())


def _number(text: str) -> str:
    return text if text.isdecimal() and len(text) < 5 and int(text) else "10"


def rows_of(offers: Sequence[SubmittedBug], objections: Sequence[Objection]) -> list[ContributionRow]:
    """Submissions and objections, the latest first."""
    rows = [_row(one.id, "new bug", one.title, one.state, one.created_at, one.bug) for one in offers]
    for one in objections:
        words = f"remove {one.bug}" if one.kind is ObjectionKind.REMOVAL else f"{one.bug}: {one.label} → {one.proposed}"
        rows.append(_row(one.id, one.kind.value, f"{words}: {one.reason}", one.state, one.created_at, one.bug))
    return sorted(rows, key=lambda row: row.id, reverse=True)


def _row(
    contribution: str, what: str, title: str, state: ContributionState, at: float, bug: str = ""
) -> ContributionRow:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
    is_open = state is ContributionState.OPEN
    return ContributionRow(contribution, what, title[:200], state.value, _TONES.get(state, ""), when, is_open, bug)


def review_rows(reviews: Sequence[Review]) -> list[tuple[str, str, str]]:
    """What was decided, why, and when."""
    return [
        (one.decision.value, one.reason, time.strftime("%Y-%m-%d %H:%M", time.localtime(one.at))) for one in reviews
    ]
