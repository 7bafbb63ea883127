"""Other solutions: one thing changed each, in the order in which the reported failure makes them likely."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from bugloss.core.run import Outcome
from bugloss.reproduce.data.hints import Hint, dims
from bugloss.reproduce.data.inputs import filled
from bugloss.reproduce.data.known import KnownFacts, followed_with
from bugloss.reproduce.data.spec import DataContainer, DataField, DataMeaning, DataSpec, StandInData
from bugloss.reproduce.expected.oracle import ExpectationKind

_SIDES = (32, 28, 64, 16, 224, 12, 24, 48, 96, 128, 8, 10, 20, 36, 40, 56, 100, 150, 256, 299)
_LENGTHS = (3, 4, 5, 8, 10, 20, 32, 50, 100, 0)
_Change = Callable[[DataField], DataField]


def variants(known: KnownFacts, first: StandInData) -> Iterator[StandInData]:
    """What the last failure asks for, then other image sizes, types, axes, containers and numbers of rows."""
    run = known.evidence.run
    if run is not None and run.outcome is Outcome.TIMED_OUT:
        yield StandInData(
            tuple(spec.but(rows=max(spec.rows // 4, 16)) for spec in first.specs), "fewer rows, to finish in time"
        )
    yield from _by_failure(known, first)
    if known.evidence.expectation.kind is ExpectationKind.SYMPTOM and known.evidence.failure is None:
        for words, change in _DIFFICULTIES:
            yield from _changed(first, words, change)
    if known.evidence.failure is not None and _ABOUT_AXES.search(known.evidence.failure.message):
        yield from _other_axes(first)
    yield from _sides(known, first)
    for words, change in _VARIANTS:
        yield from _changed(first, words, change)
    yield from _other_axes(first)
    yield from _containers(known, first)
    batch = max(spec.batch for spec in first.specs) or 32
    yield StandInData(
        tuple(spec.but(rows=batch * 2 + batch // 2) for spec in first.specs), "rows that do not fill the last batch"
    )


def _other_axes(first: StandInData) -> Iterator[StandInData]:
    for words, change in _AXES:
        yield from (replace(one, changes_axes=True) for one in _changed(first, words, change))


def _changed(first: StandInData, words: str, change: _Change) -> Iterator[StandInData]:
    specs = tuple(spec.but(fields=tuple(change(one) for one in spec.fields)) for spec in first.specs)
    if specs != first.specs:
        yield StandInData(specs, words)


def _containers(known: KnownFacts, first: StandInData) -> Iterator[StandInData]:
    plain = {DataContainer.ARRAY, DataContainer.TENSOR, DataContainer.LIST}
    named = [("as plain lists", DataContainer.LIST), ("as NumPy arrays", DataContainer.ARRAY)]
    named += [("as tensors", DataContainer.TENSOR)] if known.spoken.is_torch else []
    for words, container in named:
        specs = tuple(spec.but(container=container) if spec.container in plain else spec for spec in first.specs)
        if specs != first.specs:
            yield StandInData(specs, words)


def _by_failure(known: KnownFacts, first: StandInData) -> Iterator[StandInData]:
    """What the message of the last run asks for."""
    for hint in known.failure_hints:
        wanted = _asked_for(known, hint)
        if wanted is not None:
            role, change = wanted
            yield from _changed(first, "as the last error requires", _only(role, change))


def _only(role: str, change: _Change) -> _Change:
    return lambda one: change(one) if one.is_target == (role == "target") else one


def _asked_for(known: KnownFacts, hint: Hint) -> tuple[str, _Change] | None:
    message = known.evidence.failure.message if known.evidence.failure is not None else ""
    wanted = r"expected (?:shape=|\S+ to have shape |axis -1 of input shape to have value )[(\[]?(?P<s>[\dNone, ]+)"
    if found := re.search(wanted, message):
        sizes = dims(found["s"])
        shape = filled(sizes[1:] if sizes and sizes[0] is None else sizes)
        return hint.role, lambda one: one.but(shape=shape)
    if found := re.search(r"to have (?P<n>\d+) dimensions|ndim=(?P<m>\d+), found", message):
        rank = int(found["n"] or found["m"])
        return hint.role, lambda one: one.but(shape=_with_rank(one.shape, rank - 1))
    if found := re.search(r"(?<!\d)(?P<have>\d++) and (?P<want>\d++)x\d++\)", message):
        have, want = int(found["have"]), int(found["want"])
        return "input", lambda one: _scaled(one, have, want)
    if found := re.search(r"to have (?P<c>\d+) channels", message):
        channels = int(found["c"])
        return "input", lambda one: one.but(shape=(channels, *one.shape[1:])) if len(one.shape) == 3 else one
    if hint.odd == "too-small":
        return "input", _larger
    if hint.dtype:
        dtype = "int64" if re.search(r"Long|indices|int64", message.split("but")[0]) else "float32"
        return hint.role, lambda one: one.but(dtype=dtype)
    return None


def _scaled(one: DataField, have: int, want: int) -> DataField:
    """An input with which so many numbers arrive as are wanted: longer or shorter texts, other widths."""
    if not one.shape:
        return one
    if one.meaning is DataMeaning.TOKENS or len(one.shape) == 2:
        long = one.shape[0] * want
        return one.but(shape=(long // have, *one.shape[1:])) if long % have == 0 and long >= have else one
    return one.but(shape=(*one.shape[:-1], want))


def _larger(one: DataField) -> DataField:
    """Four times as long or wide; channels stay as they are."""
    if len(one.shape) < 2:
        return one
    if len(one.shape) == 3 and one.shape[-1] <= 4:
        return one.but(shape=(*(size * 4 for size in one.shape[:-1]), one.shape[-1]))
    return one.but(shape=(one.shape[0], *(size * 4 for size in one.shape[1:])))


def _with_rank(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    if len(shape) > rank:
        joined = len(shape) - rank + 1
        return (math.prod(shape[:joined]), *shape[joined:]) if rank else ()
    return (*shape, *([1] * (rank - len(shape))))


def _sides(known: KnownFacts, first: StandInData) -> Iterator[StandInData]:
    """Other image sizes, those first with which the reported number of flattened features comes out."""
    if not any(_is_image(one) for spec in first.specs for one in spec.fields):
        return
    solutions = []
    for side in _SIDES:
        specs = tuple(spec.but(fields=tuple(_with_side(one, side) for one in spec.fields)) for spec in first.specs)
        if specs != first.specs:
            solutions.append(StandInData(specs, f"images of {side} x {side}"))
    wanted = {str(hint.flat) for hint in known.hints if hint.flat}
    yield from sorted(solutions, key=lambda one: -_agreement(known, one, wanted)) if wanted else solutions


def fitting(known: KnownFacts, specs: list[DataSpec]) -> list[DataSpec]:
    """The specs with images or sequences of a size with which the program's shapes do not clash, if there is one."""
    if _clashes(known, specs) == 0:
        return specs
    for change in (*(_sided(side) for side in _SIDES), *(_lengthened(length) for length in _LENGTHS)):
        changed = [spec.but(fields=tuple(change(one) for one in spec.fields)) for spec in specs]
        if changed != specs and _clashes(known, changed) == 0:
            return changed
    return specs


def _sided(side: int) -> _Change:
    return lambda one: _with_side(one, side)


def _lengthened(length: int) -> _Change:
    return lambda one: one.but(shape=(length,) if length else ()) if one.meaning is DataMeaning.TOKENS else one


def _clashes(known: KnownFacts, specs: list[DataSpec]) -> int:
    """How many shapes clash when the program is followed with these inputs, without running it."""
    following = followed_with(known, specs)
    return len(following.interpreter.conflicts) if following is not None else 0


def _agreement(known: KnownFacts, solution: StandInData, wanted: set[str]) -> int:
    """Whether the reported numbers come out when the program is followed with these shapes, without running it."""
    following = followed_with(known, solution.specs, targets=True)
    said = " ".join(conflict.message for conflict in following.interpreter.conflicts) if following is not None else ""
    return sum(number in re.findall(r"\d+", said) for number in wanted)


def _is_image(one: DataField) -> bool:
    return len(one.shape) == 3 and not one.is_target


def _with_side(one: DataField, side: int) -> DataField:
    if not _is_image(one):
        return one
    return one.but(shape=(one.shape[0], side, side) if one.shape[0] <= 4 else (side, side, one.shape[2]))


def _target(**changes: object) -> _Change:
    return lambda one: one.but(**changes) if one.is_target else one


def _numbered(shape: tuple[int, ...]) -> _Change:
    """Targets as class indices of some shape."""

    def change(one: DataField) -> DataField:
        if not one.is_target:
            return one
        meaning = DataMeaning.CLASSES if one.meaning is DataMeaning.ONE_HOT else one.meaning
        return one.but(dtype="int64", shape=shape, meaning=meaning)

    return change


def _input(**changes: object) -> _Change:
    return lambda one: one if one.is_target else one.but(**changes)


def _axes(change: Callable[[tuple[int, ...]], tuple[int, ...]]) -> _Change:
    return lambda one: one if one.is_target or len(one.shape) < 2 else one.but(shape=change(one.shape))


def _hot(one: DataField) -> DataField:
    if one.meaning is not DataMeaning.CLASSES:
        return one
    return one.but(meaning=DataMeaning.ONE_HOT, dtype="float32", shape=(one.classes,))


# A symptom hangs on how hard the data are, a crash does not.
_DIFFICULTIES: tuple[tuple[str, _Change], ...] = (
    ("classes that overlap", lambda one: one.but(noise=one.noise * 4)),
    ("rows sorted by class", lambda one: one.but(ordered=True) if one.is_target else one),
    ("some labels wrong", lambda one: one.but(wrong=0.2, noise=max(one.noise, 1.0))),
    ("inputs of large values", lambda one: one if one.is_target else one.but(scale=one.scale * 100)),
    ("targets of large values", lambda one: one.but(scale=100.0) if one.meaning is DataMeaning.VALUES else one),
)

_ABOUT_AXES = re.compile(
    r"dimension|\bdims?\b|shape|size|\daxis|axes|\d-?D\b|mat1|Given groups|channels", re.IGNORECASE
)
_AXES: tuple[tuple[str, _Change], ...] = (
    (
        "inputs with one more axis",
        lambda one: one if one.is_target or len(one.shape) != 1 else one.but(shape=(8, *one.shape)),
    ),
    ("one number per input", lambda one: one if one.is_target or len(one.shape) != 1 else one.but(shape=())),
    ("inputs without their last axis", _axes(lambda shape: shape[:-1])),
)
_VARIANTS: tuple[tuple[str, _Change], ...] = (
    ("targets as float64", _target(dtype="float64")),
    ("targets as float32", _target(dtype="float32")),
    ("targets as integers", _target(dtype="int64")),
    ("targets in a column", _numbered((1,))),
    ("targets without a second axis", _numbered(())),
    ("targets one-hot", _hot),
    ("inputs as float64", _input(dtype="float64")),
    ("inputs as integers", _input(dtype="int64")),
    ("inputs without their first axis", _axes(lambda shape: shape[1:])),
    ("inputs flattened", _axes(lambda shape: (math.prod(shape),))),
    ("inputs with axes in the other order", _axes(lambda shape: (*shape[1:], shape[0]))),
    ("inputs of large values", lambda one: one if one.is_target else one.but(scale=one.scale * 1000)),
    ("class indices from 1", lambda one: one.but(low=1) if one.meaning is DataMeaning.CLASSES else one),
    ("samples of different lengths", _input(ragged=True)),
    ("some values missing", _input(with_nan=True)),
)


def is_target(spec: DataSpec) -> bool:
    """Whether all of a spec is what a network should answer."""
    return all(one.is_target for one in spec.fields)
