"""What is known before data are written: the program followed, the message's hints, the report's numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from bugloss.core.python_text import parse_python
from bugloss.core.report import FactKind
from bugloss.core.reproduction import Quote
from bugloss.reproduce.completing.counts import counts, lengths
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.data.following import Following, follow, loader, tensor
from bugloss.reproduce.data.gaps import MissingData
from bugloss.reproduce.data.hints import Hint, dims, hints
from bugloss.reproduce.data.spec import DataContainer, DataField, DataSpec, grouped
from bugloss.reproduce.expected.oracle import ExpectationKind
from bugloss.reproduce.program.syntax import assigned_calls, flat_targets
from bugloss.reproduce.stack.imports import Dialect, dialect
from bugloss.reproduce.words import groups, wording
from bugloss.source.text.syntax import loads
from bugloss.source.values.values import Value

_SETS = {DataContainer.LOADER, DataContainer.DATASET, DataContainer.TF_DATASET}
_TWO_SHAPES = re.compile(r"\[(\d+), ?\d+\] vs\.? \[(\d+), ?\d+\]")
_MOST_ROWS = 2000
ROWS_OF_SYMPTOMS = 512  # where nobody tells how many there are


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number that the report gives, with its words; None and no words where it gives none."""

    number: int | None = None
    quote: Quote | None = None


@dataclass(frozen=True, slots=True)
class FoundField:
    """A field that was worked out, why, and the words that it rests on."""

    field: DataField
    why: str = ""  # empty where nothing is stated
    quotes: tuple[Quote, ...] = ()
    is_guess: bool = False


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """One program, one report, one set of gaps, and what follows from them."""

    text: str
    evidence: EditEvidence
    gaps: tuple[MissingData, ...]
    spoken: Dialect
    hints: tuple[Hint, ...]  # of the expected message
    failure_hints: tuple[Hint, ...]  # of the last run's
    following: Following | None
    rows: int
    rows_quote: Quote | None
    classes: StatedNumber
    batch: int


def known_of(text: str, evidence: EditEvidence, gaps: Sequence[MissingData]) -> KnownFacts:
    """What is known of a program with gaps."""
    spoken = dialect(text, evidence)
    message = "\n".join(one.message for one in evidence.expectation.exceptions)
    stated = tuple(hints(message)) if message else ()
    failure = evidence.failure.message if evidence.failure is not None else ""
    rows, quote = _rows(text, evidence, gaps, stated)
    return KnownFacts(
        text, evidence, tuple(gaps), spoken, stated, tuple(hints(failure)) if failure else (),
        followed(text, evidence, gaps, spoken), rows, quote, _classes(evidence), _batch(evidence, stated),
    )  # fmt: skip


def followed(
    text: str,
    evidence: EditEvidence,
    gaps: Sequence[MissingData],
    spoken: Dialect,
    shapes: dict[str, tuple[int, ...]] | None = None,
) -> Following | None:
    """The program followed with a tag on each part of its missing data; with shapes where they are given."""
    library = "torch" if spoken.is_torch else "numpy"
    bound: dict[str, Value] = {}
    prelude = []
    for gap in gaps:
        kind = "numpy" if gap.container is DataContainer.ARRAY else library
        parts = [tensor(tag, kind, (shapes or {}).get(tag)) for tag in gap.tags]
        name = f"_made_up_{gap.name}"
        if gap.function and gap.container not in _SETS:
            names = [f"{name}_{place}" for place in range(len(parts))]
            bound.update(zip(names, parts, strict=True))
            prelude.append(f"def {gap.name}(*a, **k): return {grouped(names, gap.groups)}")
        elif gap.function:
            bound[name] = loader(parts)
            prelude.append(f"def {gap.name}(*a, **k): return {name}")
        elif gap.container in _SETS:
            bound[gap.name] = loader(parts, gap.keys)
        else:
            bound[gap.name] = parts[0]
    return follow("\n".join([*prelude, text]) if prelude else text, bound, evidence.releases)


def followed_with(known: KnownFacts, specs: Sequence[DataSpec], targets: bool = False) -> Following | None:
    """The program, followed with the inputs of these specifications, and their targets if wanted."""
    inputs = {
        tag: (spec.batch or spec.rows, *one.shape)
        for gap, spec in zip(known.gaps, specs, strict=True)
        for tag, one in zip(gap.tags, spec.fields, strict=True)
        if targets or not one.is_target
    }
    return followed(known.text, known.evidence, known.gaps, known.spoken, inputs)


def element_names(text: str, gap: MissingData) -> list[str]:
    """The names that a loop or an assignment gives to the parts of what is missing."""
    tree = parse_python(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and gap.name in loads(node.iter):
            target: ast.expr = node.target
            if isinstance(target, ast.Tuple) and isinstance(target.elts[-1], ast.Tuple):
                target = target.elts[-1]
            if isinstance(target, ast.Tuple):
                return [ast.unparse(one) for one in target.elts]
    for assignment, call in assigned_calls(tree):
        if (
            isinstance(call.func, ast.Name)
            and call.func.id == gap.name
            and isinstance(assignment.targets[0], ast.Tuple)
        ):
            return flat_targets(assignment.targets[0])
    return []


def named_shape(known: KnownFacts, name: str) -> tuple[tuple[int | None, ...], Quote] | None:
    """The shape that the report gives for a variable by its name, outside of code that makes it so."""
    body = known.evidence.body
    for fact in known.evidence.reading.about(FactKind.SHAPE):
        sizes = dims(fact.value.strip("()"))
        if fact.name == name and sizes and all(size is None or size > 0 for size in sizes):
            before = body[max(0, fact.start - 40) : fact.start]
            if not re.search(rf"reshape\(|view\(|{re.escape(name)}\s*=", before):
                return sizes, known.evidence.quote(fact.start, fact.end)
    found = re.search(
        rf"\b{re.escape(name)}\b(?!\()(?:\.shape)?[`'\"]?\s*(?:is|are|has(?: the)?(?: shape)?|:|=|->|of shape)?"
        r"\s*[`]?\((\d+(?:\s*,\s*\d+)*,?)\)",
        body,
    )
    if found is not None:
        return dims(found[1]), known.evidence.quote(found.start(), found.end())
    return None


def _rows(
    text: str, evidence: EditEvidence, gaps: Sequence[MissingData], stated: Sequence[Hint]
) -> tuple[int, Quote | None]:
    """How many samples: as stated where that is little enough, else enough for the purpose."""
    names = {gap.name for gap in gaps}
    for fact in evidence.reading.about(FactKind.SHAPE):
        sizes = dims(fact.value.strip("()"))
        if fact.name in names and len(sizes) > 1 and sizes[0] and 1 < sizes[0] <= _MOST_ROWS:
            return sizes[0], evidence.quote(fact.start, fact.end)
    for gap in gaps:
        by_name = wording("shape-of-name").search(evidence.body) if not gap.function else None
        if by_name is not None and by_name["name"] == gap.name and 1 < int(by_name["rows"]) <= _MOST_ROWS:
            return int(by_name["rows"]), evidence.quote(by_name.start(), by_name.end())
    unlike = next(
        (found for one in evidence.expectation.exceptions if (found := _TWO_SHAPES.search(one.message))), None
    )
    if unlike is not None:
        return max(int(unlike[1]), int(unlike[2])), None
    for hint in stated:
        has_sets = any(gap.container in _SETS for gap in gaps)
        if hint.shape is not None and hint.shape[0] and 1 < hint.shape[0] <= _MOST_ROWS and not has_sets:
            return hint.shape[0], None
    direct = not re.search(r"\.fit\w*\(|\.split\(|DataLoader|randint\(|\[:?\d", text)
    if direct and all(
        gap.container in {DataContainer.TENSOR, DataContainer.ARRAY} and not gap.function for gap in gaps
    ):
        for fact in evidence.reading.about(FactKind.HYPERPARAMETER):
            if fact.name == "batch_size" and fact.value.isdigit() and 1 < int(fact.value) <= 512:
                return int(fact.value), evidence.quote(fact.start, fact.end)
    literal = re.search(r"reshape\(\s*+(?:\(\s*+)?(\d{2,6})\s*+,", text)
    if literal:
        return int(literal[1]), None
    long = {length.start for length in lengths(evidence.body)}
    for count in counts(evidence.body):
        if count.noun in groups("usage")["row-nouns"] and count.start not in long and 30 <= count.number <= _MOST_ROWS:
            return count.number, evidence.quote(count.start, count.end)
    return (ROWS_OF_SYMPTOMS if evidence.expectation.kind is ExpectationKind.SYMPTOM else 64), None


def _classes(evidence: EditEvidence) -> StatedNumber:
    for fact in evidence.reading.about(FactKind.HYPERPARAMETER):
        if fact.name == "num_classes" and fact.value.isdigit() and 1 < int(fact.value) < _MOST_ROWS:
            return StatedNumber(int(fact.value), evidence.quote(fact.start, fact.end))
    for count in counts(evidence.body):
        if count.noun in groups("usage")["class-nouns"] and 1 < count.number < _MOST_ROWS:
            return StatedNumber(count.number, evidence.quote(count.start, count.end))
    return StatedNumber()


def _batch(evidence: EditEvidence, stated: Sequence[Hint]) -> int:
    for fact in evidence.reading.about(FactKind.HYPERPARAMETER):
        if fact.name == "batch_size" and fact.value.isdigit() and 0 < int(fact.value) <= 1024:
            return int(fact.value)
    return next((hint.shape[0] for hint in stated if hint.shape and hint.shape[0] and 1 < hint.shape[0] <= 512), 32)
