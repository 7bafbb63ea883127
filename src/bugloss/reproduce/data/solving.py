"""Solves for the data that a program needs: consumers, facts of the report and the error message, made to agree.

The first solution is the likeliest; ``variants`` has the others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bugloss.reproduce.completing.counts import counts, singular
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.data.following import Consumption
from bugloss.reproduce.data.gaps import MissingData, missing
from bugloss.reproduce.data.hints import Hint
from bugloss.reproduce.data.inputs import filled, input_field
from bugloss.reproduce.data.known import (
    ROWS_OF_SYMPTOMS,
    FoundField,
    KnownFacts,
    element_names,
    followed_with,
    known_of,
    named_shape,
)
from bugloss.reproduce.data.spec import DataContainer, DataField, DataMeaning, DataSpec, StandInData
from bugloss.reproduce.data.targets import target_field
from bugloss.reproduce.data.usage import Fed, columns_of, fed_to
from bugloss.reproduce.data.variants import fitting, is_target, variants
from bugloss.reproduce.expected.symptoms import SymptomKind
from bugloss.reproduce.names.naming import looks_like, stem_of
from bugloss.reproduce.words import wording

_SETS = {DataContainer.LOADER, DataContainer.DATASET}
_FEWEST_ROWS, _MOST_NUMBERS = 64, 4_000_000
_IDS = re.compile(r"(?:^|_)(?:input|token|word|char|type|segment)?_?ids?(?:_|$)")


def solve(text: str, evidence: EditEvidence, wanted: list[MissingData] | None = None) -> Iterator[StandInData]:
    """Data for everything that is missing, the likeliest solution first."""
    gaps = missing(text, evidence) if wanted is None else wanted
    if not gaps:
        return
    known = known_of(text, evidence, gaps)
    specs = _match_held_out([_spec(known, gap) for gap in gaps])
    if not any(hint.flat or hint.shape for hint in known.hints):
        specs = fitting(known, specs)
        specs = _match_held_out(_second_look(known, specs))
    first = StandInData(tuple(_hard_enough(known, _agreed(known, specs))))
    yield first
    for other in variants(known, first):
        yield replace(other, specs=tuple(_second_look(known, list(other.specs)))) if other.changes_axes else other


def _second_look(known: KnownFacts, specs: list[DataSpec]) -> list[DataSpec]:
    """The targets once more, now that the inputs have shapes and the network's output has one, too."""
    following = followed_with(known, specs)
    if following is None:
        return specs
    wiser = replace(known, following=following)
    result = []
    for gap, spec in zip(known.gaps, specs, strict=True):
        again = _spec(wiser, gap)
        fields = tuple(
            new if old.is_target and new.is_target else old for old, new in zip(spec.fields, again.fields, strict=True)
        )
        result.append(spec.but(fields=fields))
    return result


def _match_held_out(specs: list[DataSpec]) -> list[DataSpec]:
    """Held-out data of which nothing is stated are like those for training."""
    stems = {stem_of(spec.name): spec for spec in specs if not spec.is_guess}
    specs = [
        spec.but(fields=stems[stem_of(spec.name)].fields)
        if spec.is_guess and stem_of(spec.name) in stems and spec.container is stems[stem_of(spec.name)].container
        else spec
        for spec in specs
    ]
    stated = {spec.container: spec for spec in reversed(specs) if not spec.is_guess}
    plain = [one for spec in specs if not spec.is_guess and spec.container not in _SETS for one in spec.fields]
    pair = [next((one for one in plain if one.is_target is answer), None) for answer in (False, True)]
    if not stated.keys() & _SETS and None not in pair:
        fields = tuple(one for one in pair if one is not None)
        return [
            spec.but(fields=fields) if spec.is_guess and spec.container in _SETS and len(spec.fields) == 2 else spec
            for spec in specs
        ]
    return [
        spec.but(fields=stated[spec.container].fields)
        if spec.is_guess
        and spec.container in stated
        and len(spec.fields) == len(stated[spec.container].fields)
        and spec.container in _SETS
        else spec
        for spec in specs
    ]


def _hard_enough(known: KnownFacts, specs: Iterable[DataSpec]) -> Iterator[DataSpec]:
    """What overfits needs something to overfit to: labels that are partly wrong, or values with noise."""
    symptoms = known.evidence.expectation.symptoms
    overfits = bool(symptoms) and symptoms[0] is SymptomKind.OVERFITS
    for spec in specs:
        fields = spec.fields
        if wording("ordered-rows").search(known.evidence.prose):  # that is difficulty enough
            fields = tuple(one.but(ordered=True) if one.is_target else one for one in fields)
        elif overfits:
            fields = tuple(one.but(wrong=0.15, noise=1.0) for one in fields)
        yield spec.but(fields=fields)


def _spec(known: KnownFacts, gap: MissingData) -> DataSpec:
    found = [_field(known, gap, tag, place) for place, tag in enumerate(gap.tags)]
    fields = [one.field for one in found]
    if gap.container is DataContainer.TENSOR:
        fields = [one.but(dtype="float32") if one.dtype == "uint8" else one for one in fields]
    why = "; ".join(dict.fromkeys(one.why for one in found if one.why)) or "not stated in the report"
    quotes = tuple(quote for one in found for quote in one.quotes)
    batch = known.batch if gap.container in {DataContainer.LOADER, DataContainer.TF_DATASET} else 0
    guess = all(one.is_guess or not one.why for one in found)
    return DataSpec(
        gap.name,
        gap.container,
        tuple(fields),
        known.rows,
        why,
        quotes,
        batch,
        gap.keys,
        gap.function,
        gap.groups,
        guess,
    )


def _field(known: KnownFacts, gap: MissingData, tag: str, place: int) -> FoundField:
    consumed = known.following.of(tag) if known.following is not None else []
    targets = [one for one in consumed if one.role == "target"]
    inputs = [one for one in consumed if one.role in {"input", "layer", "rank"}]
    answers = bool(targets) and not inputs
    if re.search(rf"sample_weight\s*=\s*{re.escape(gap.name)}\b", known.text):
        return FoundField(DataField(DataMeaning.SWITCHES), "the weights of samples")
    if _IDS.search(gap.name) and not consumed and len(gap.tags) == 1:
        return FoundField(DataField(DataMeaning.TOKENS, (16,), "int64", high=100), "its name suggests token ids")
    looked_up = re.search(rf"Embedding\(\s*(?:\w+=)?{re.escape(gap.name.upper())}\b", known.text)
    if looked_up is not None and gap.name != gap.name.upper() and not targets and not inputs:
        many = _named_count(known, gap.name) or 10
        return FoundField(DataField(DataMeaning.TOKENS, (), "int64", high=many), f"{looked_up[0]} takes it")
    if not targets and re.fullmatch(r"\w*(?:weights?|masks?)", gap.name) and len(gap.tags) == 1:
        stated = named_shape(known, gap.name)
        return FoundField(
            DataField(DataMeaning.SWITCHES, filled(stated[0][1:]) if stated else ()),
            "its name",
            (stated[1],) if stated else (),
        )
    if re.search(rf"\b{re.escape(gap.name)}\[[^\]]*\]\s*==|==\s*{re.escape(gap.name)}\[", known.text):
        answers, targets = True, []  # what is compared for being the same is a class
    elif not targets and not inputs:
        answers = _looks_like_target(known, gap, place)
    found = _target(known, targets, gap.name) if answers else input_field(known, inputs)
    return _with_facts(known, gap, place, found, answers)


def _looks_like_target(known: KnownFacts, gap: MissingData, place: int) -> bool:
    if len(gap.tags) == 1:
        return looks_like("targets", gap.name)
    names = element_names(known.text, gap)
    if place < len(names):
        return looks_like("targets", names[place]) or (place > 0 and not looks_like("features", names[place]))
    return place > 0


def _target(known: KnownFacts, consumed: list[Consumption], name: str) -> FoundField:
    for one in consumed:
        field, why = target_field(one, known.following, known.classes.number)
        if field is not None:
            quote = known.classes.quote
            return FoundField(
                field, why, (quote,) if quote is not None and field.classes == known.classes.number else ()
            )
    return FoundField(
        DataField(DataMeaning.CLASSES, (), "int64", known.classes.number or _named_count(known, name) or 2), ""
    )


def _named_count(known: KnownFacts, name: str) -> int | None:
    """How many there are of what a name stands for: "twelve people" for ``people``."""
    body = known.evidence.body
    return next((one.number for one in counts(body) if one.noun == singular(name.lower()) and one.number < 200), None)


def _with_facts(known: KnownFacts, gap: MissingData, place: int, found: FoundField, answers: bool) -> FoundField:
    """What the report says outright goes before what was worked out."""
    for name in (gap.name, *element_names(known.text, gap)[place : place + 1]):
        stated = named_shape(known, name)
        if stated is not None:
            sizes, quote = stated
            found = FoundField(found.field.but(shape=filled(sizes[1:])), f'"{quote.text}"', (quote,))
            break
    fed = fed_to(known.text, gap.name)
    if fed is not None:
        found = _fed(found, fed, answers)
    columns = columns_of(known.text, gap.name)
    if columns is not None and not gap.function:
        why = f"{columns.width} columns are taken from it"
        return FoundField(DataField(DataMeaning.FEATURES, (columns.width,)), why, found.quotes)
    for hint in known.hints:
        if hint.role == ("target" if answers else "input"):
            found = _hinted(known, found, hint, answers)
        elif hint.role == "any" and hint.dtype and not found.why:
            found = FoundField(
                found.field.but(dtype=hint.dtype), "stated in the error message", known.evidence.expectation.quotes[:1]
            )
    if (
        not answers
        and (stated_range := wording("unit-range").search(known.evidence.body))
        and found.field.meaning is DataMeaning.FEATURES
    ):
        quote = known.evidence.quote(stated_range.start(), stated_range.end())
        found = FoundField(found.field.but(unit=True), found.why, (*found.quotes, quote))
    if not answers and re.search(rf"\b{re.escape(gap.name)}\b[^\n]*/\s*255", known.text):
        found = FoundField(found.field.but(meaning=DataMeaning.IMAGES, dtype="uint8"), found.why, found.quotes)
    return found


def _fed(found: FoundField, fed: Fed, answers: bool) -> FoundField:
    """What a placeholder takes; several columns of answers are one-hot rows."""
    shape = filled(fed.shape)
    field = found.field.but(shape=shape, dtype="int64" if fed.whole else found.field.dtype)
    if answers and shape and shape[-1] > 1:
        field = DataField(DataMeaning.ONE_HOT, shape, "float32", shape[-1])
    return FoundField(field, f"the placeholder takes {fed.shape}", found.quotes)


def _hinted(known: KnownFacts, found: FoundField, hint: Hint, answers: bool) -> FoundField:
    field = found.field
    if hint.shape is not None and all(size is None or size > 0 for size in hint.shape):
        field = field.but(shape=filled(hint.shape[1:]))
        field = _retargeted(field, hint) if answers else field
    if hint.dtype:
        field = field.but(dtype=hint.dtype)
    if hint.odd == "out-of-range":
        field = field.but(high=field.high + 5, classes=field.classes + (1 if answers else 0))
    if hint.odd == "ragged":
        field = field.but(ragged=True)
    return FoundField(field, "stated in the error message", known.evidence.expectation.quotes[:1])


def _retargeted(field: DataField, hint: Hint) -> DataField:
    """A target whose shape the message gives: one column is a class index or a value, several are one-hot."""
    width = field.shape[-1] if field.shape else 1
    if field.meaning not in {DataMeaning.ONE_HOT, DataMeaning.CLASSES}:
        return field
    if width > 1:
        return field.but(meaning=DataMeaning.ONE_HOT, dtype="float32", classes=width)
    return field.but(meaning=DataMeaning.CLASSES, dtype="int64")


def _affordable(rows: int, specs: Iterable[DataSpec]) -> int:
    """Fewer rows where a sample is large: their number is not stated, and a run has to finish."""
    largest = max((math.prod(one.shape) for spec in specs for one in spec.fields), default=1)
    return min(rows, max(_FEWEST_ROWS, _MOST_NUMBERS // max(largest, 1)))


def _agreed(known: KnownFacts, specs: list[DataSpec]) -> Iterator[DataSpec]:
    """The specs with what concerns them all: odd numbers of rows, other containers, where the message says so."""
    odd = {hint.odd for hint in known.hints}
    containers = {hint.container for hint in known.hints}
    batch = next((spec.batch for spec in specs if spec.batch), 32)
    rows = known.rows if known.rows != ROWS_OF_SYMPTOMS or known.rows_quote else _affordable(known.rows, specs)
    if "odd-rows" in odd:
        rows = max(batch * 2, rows // batch * batch) + max(batch // 2, 1)
    if "one-left" in odd:
        rows = batch * 2 + 1
    for spec in specs:
        changed = spec.but(rows=rows)
        if "list" in containers and not is_target(spec):
            changed = changed.but(container=DataContainer.LIST)
        if "array" in containers and spec.container is DataContainer.TENSOR and not is_target(spec):
            changed = changed.but(container=DataContainer.ARRAY)
        if "unequal-rows" in odd and is_target(spec):
            changed = changed.but(rows=rows - max(1, rows // 10))
        yield changed
