"""Solves for the data that a program needs: consumers, facts of the report and the error message, made to agree.

The first solution is the likeliest. The others change one thing each, in the order in which the reported failure makes
them likely; the loop tries them when the first does not show it.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bugloss.check.values import Items, Layer, Model, Tensor, Value
from bugloss.core.report import FactKind
from bugloss.core.reproduction import Quote
from bugloss.reproduce.contract import Evidence
from bugloss.reproduce.counts import counts, extents
from bugloss.reproduce.data.following import Consumption, Following, follow, loader, tensor
from bugloss.reproduce.data.gaps import Missing, missing
from bugloss.reproduce.data.hints import Hint, dims, hints
from bugloss.reproduce.data.spec import Container, Field, Meaning, Solution, Spec, grouped
from bugloss.reproduce.data.targets import target_field
from bugloss.reproduce.imports import dialect
from bugloss.reproduce.naming import FEATURES, TARGETS
from bugloss.reproduce.oracle import ExpectationKind

_PICTURE_SIDES = (32, 28, 64, 16, 224, 12, 24, 48, 96, 128, 8, 10, 20, 36, 40, 56, 100, 150, 256, 299)


def solve(text: str, evidence: Evidence, wanted: list[Missing] | None = None) -> Iterator[Solution]:
    """Data for everything that is missing, the likeliest solution first."""
    gaps = missing(text, evidence) if wanted is None else wanted
    if not gaps:
        return
    solver = _Solver(text, evidence, gaps)
    first = solver.solution()
    yield first
    yield from solver.twists(first)


class _Solver:
    """One program, one report, one set of gaps."""

    def __init__(self, text: str, evidence: Evidence, gaps: list[Missing]) -> None:
        self.text = text
        self.evidence = evidence
        self.gaps = gaps
        self.spoken = dialect(text, evidence)
        message = "\n".join(one.message for one in evidence.expectation.exceptions)
        self.hints = list(hints(message)) if message else []
        failure = evidence.failure.message if evidence.failure is not None else ""
        self.failure_hints = list(hints(failure)) if failure else []
        self.following = self._follow()
        self.rows, self.rows_quote = self._rows()
        self.classes, self.classes_quote = self._classes()

    # ── what is known ───────────────────────────────────────────────────────────────────────────────────────

    def _follow(self) -> Following | None:
        library = "torch" if self.spoken.is_torch else "numpy"
        bound: dict[str, Value] = {}
        prelude = []
        for gap in self.gaps:
            kind = "numpy" if gap.container is Container.ARRAY else library
            if gap.function:
                names = [f"_made_up_{gap.name}_{place}" for place in range(len(gap.tags))]
                parts = {name: tensor(tag, kind) for name, tag in zip(names, gap.tags, strict=True)}
                if gap.container in {Container.DATASET, Container.LOADER}:
                    bound[f"_made_up_{gap.name}"] = loader(gap.tags, kind)
                    prelude.append(f"def {gap.name}(*a, **k): return _made_up_{gap.name}")
                else:
                    bound.update(parts)
                    prelude.append(f"def {gap.name}(*a, **k): return {grouped(names, gap.groups)}")
            elif gap.container in {Container.LOADER, Container.DATASET, Container.TF_DATASET}:
                bound[gap.name] = loader(gap.tags, kind, gap.keys)
            else:
                bound[gap.name] = tensor(gap.tags[0], kind)
        # On one line, so that the program's own lines keep their numbers but for one.
        text = "\n".join([*prelude, self.text]) if prelude else self.text
        return follow(text, bound, self.evidence.releases)

    def _rows(self) -> tuple[int, Quote | None]:
        """How many samples: as told where that is little enough, else enough for the purpose."""
        many = self.evidence.expectation.kind is ExpectationKind.SYMPTOM
        usual = 512 if many else 64
        for fact in self.evidence.reading.about(FactKind.SHAPE):
            sizes = dims(fact.value.strip("()"))
            if fact.name and any(gap.name == fact.name for gap in self.gaps) and len(sizes) > 1 and sizes[0]:
                if 1 < sizes[0] <= 2000:
                    return sizes[0], self.evidence.quote(fact.start, fact.end)
        for hint in self.hints:
            if hint.shape is not None and hint.shape[0] and 1 < hint.shape[0] <= 2000 and not self._has_sets():
                return hint.shape[0], None
        literal = re.search(r"reshape\(\s*\(?\s*(\d{2,6})\s*,", self.text)
        if literal:
            return int(literal[1]), None
        for count in counts(self.evidence.body):
            if (
                count.noun in {"row", "sample", "example", "record", "picture", "image", "photo"}
                and 30 <= count.number <= 2000
            ):
                return count.number, self.evidence.quote(count.start, count.end)
        return usual, None

    def _has_sets(self) -> bool:
        return any(gap.container in {Container.LOADER, Container.DATASET, Container.TF_DATASET} for gap in self.gaps)

    def _classes(self) -> tuple[int | None, Quote | None]:
        for fact in self.evidence.reading.about(FactKind.HYPERPARAMETER):
            if fact.name == "num_classes" and fact.value.isdigit() and 1 < int(fact.value) < 2000:
                return int(fact.value), self.evidence.quote(fact.start, fact.end)
        for count in counts(self.evidence.body):
            if (
                count.noun in {"class", "kind", "category", "label", "author", "type", "species"}
                and 1 < count.number < 2000
            ):
                return count.number, self.evidence.quote(count.start, count.end)
        return None, None

    # ── the likeliest solution ──────────────────────────────────────────────────────────────────────────────

    def solution(self) -> Solution:
        specs = [self._spec(gap) for gap in self.gaps]
        return Solution(tuple(self._agreed(specs)))

    def _spec(self, gap: Missing) -> Spec:
        fields, reasons, quotes = [], [], []
        for place, tag in enumerate(gap.tags):
            found = self._field(gap, tag, place)
            fields.append(found.field)
            reasons += [found.why] if found.why else []
            quotes += found.quotes
        if gap.container is Container.TENSOR and any(one.dtype == "uint8" for one in fields):
            fields = [one.but(dtype="float32") for one in fields]
        rows = self.rows
        batch = self._batch() if gap.container in {Container.LOADER, Container.TF_DATASET} else 0
        why = "; ".join(dict.fromkeys(reasons)) or "nothing is told of it"
        return Spec(
            gap.name, gap.container, tuple(fields), rows, why, tuple(quotes), batch, gap.keys, gap.function, gap.groups
        )

    def _field(self, gap: Missing, tag: str, place: int) -> _Found:
        consumed = self.following.of(tag) if self.following is not None else []
        targets = [one for one in consumed if one.role == "target"]
        inputs = [one for one in consumed if one.role in {"input", "layer", "rank"}]
        is_target = bool(targets) and not inputs
        if not targets and not inputs:
            is_target = self._looks_like_target(gap, place)
        found = self._target(targets) if is_target else self._input(inputs)
        return self._with_facts(gap, tag, place, found, is_target)

    def _looks_like_target(self, gap: Missing, place: int) -> bool:
        if len(gap.tags) > 1:
            names = self._element_names(gap)
            if place < len(names):
                return bool(TARGETS.match(names[place])) or (place > 0 and not FEATURES.match(names[place]))
            return place > 0
        return bool(TARGETS.match(gap.name))

    def _element_names(self, gap: Missing) -> list[str]:
        """The names that a loop or an assignment gives to the parts."""
        tree = ast.parse(self.text)
        for node in ast.walk(tree):
            if isinstance(node, ast.For) and gap.name in {
                part.id for part in ast.walk(node.iter) if isinstance(part, ast.Name)
            }:
                target = (
                    node.target.elts[-1]
                    if isinstance(node.target, ast.Tuple) and isinstance(node.target.elts[-1], ast.Tuple)
                    else node.target
                )
                if isinstance(target, ast.Tuple):
                    return [ast.unparse(one) for one in target.elts]
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Call)
                and isinstance(node.value.func, ast.Name)
                and node.value.func.id == gap.name
            ):
                if isinstance(node.targets[0], ast.Tuple):
                    return [
                        ast.unparse(part)
                        for one in node.targets[0].elts
                        for part in (one.elts if isinstance(one, ast.Tuple) else [one])
                    ]
        return []

    def _input(self, consumed: list[Consumption]) -> _Found:
        for one in consumed:
            if one.role == "input" and isinstance(one.model, Model):
                found = self._input_of_model(one, one.model)
                if found is not None:
                    return found
        for one in consumed:
            if one.role == "layer" and isinstance(one.output, Layer):
                found = self._input_of_layer(one, one.output)
                if found is not None:
                    return found
        ranks = [one.place for one in consumed if one.role == "rank"]
        if ranks:
            return _Found(Field(Meaning.FEATURES, (16, 8, 4, 2)[: max(ranks) - 1]), f"its {ranks[0]} axes are permuted")
        return self._input_by_words()

    def _input_of_model(self, one: Consumption, model: Model) -> _Found | None:
        shape = model.input_shape
        if one.place < len(model.inputs) and model.inputs[one.place].shape is not None:
            shape = model.inputs[one.place].shape
        if shape is None:
            return self._flattened(one, model)
        first = next((layer for layer in model.layers if layer.name not in _TRANSPARENT), None)
        sizes = tuple(size if isinstance(size, int) else None for size in shape[1:])
        why = f"the network takes {_shown(sizes)}"
        if first is not None and first.name == "Embedding":
            length = sizes[0] if sizes and sizes[0] else 16
            vocabulary = first.integer("input_dim") or 100
            return _Found(Field(Meaning.TOKENS, (length,), "int64", high=vocabulary), why)
        return _Found(Field(Meaning.FEATURES, self._filled(sizes)), why)

    def _filled(self, sizes: tuple[int | None, ...]) -> tuple[int, ...]:
        return tuple(
            size if size else (16 if len(sizes) < 3 or place < len(sizes) - 1 else 3)
            for place, size in enumerate(sizes)
        )

    def _flattened(self, one: Consumption, model: Model) -> _Found | None:
        """A network that flattens first takes anything with the right number of elements."""
        first = next((layer for layer in model.layers if layer.name not in _TRANSPARENT), None)
        width = first.integer("in_features") if first is not None else None
        if first is None or not width or model.layers[0] is first:
            return None
        shape = self._told_extent(width) or _as_picture(width, self.spoken.is_torch) or (width,)
        return _Found(Field(Meaning.FEATURES, shape), f"{first.name} on line {first.node.lineno} takes it, flattened")

    def _input_of_layer(self, one: Consumption, layer: Layer) -> _Found | None:
        why = f"{layer.name} on line {layer.node.lineno} takes it"
        channels = layer.integer("in_channels")
        width = layer.integer("in_features") or layer.integer("input_size") or layer.integer("num_features")
        if layer.name.startswith(("Conv2d", "LazyConv2d", "ConvTranspose2d")) or layer.name == "Conv2D":
            side = self._side(channels or 3)
            shape = (channels or 3, side, side) if self.spoken.is_torch else (side, side, channels or 3)
            return _Found(Field(Meaning.FEATURES, self._before(one, shape)), why)
        if layer.name.startswith("Conv1"):
            shape = (channels or 4, 16) if self.spoken.is_torch else (16, channels or 4)
            return _Found(Field(Meaning.FEATURES, self._before(one, shape)), why)
        if layer.name.startswith("Conv3"):
            return _Found(Field(Meaning.FEATURES, self._before(one, (channels or 1, 8, 16, 16))), why)
        if layer.name.startswith("Embedding"):
            vocabulary = layer.integer("num_embeddings") or layer.integer("input_dim") or 100
            return _Found(Field(Meaning.TOKENS, (self._length(),), "int64", high=vocabulary), why)
        if layer.name.startswith(("LSTM", "GRU", "RNN", "SimpleRNN")):
            return _Found(Field(Meaning.FEATURES, self._before(one, (self._length(), width or 8))), why)
        if width:
            return _Found(Field(Meaning.FEATURES, self._before(one, (width,))), why)
        return None

    def _before(self, one: Consumption, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of a sample before the program reshapes it: pictures that are flattened are pictures first."""
        if not one.reshaped:
            return shape
        name = (one.reshaped[0].made_by or "").rsplit(".", 1)[-1]
        total = math.prod(shape)
        told = self._told_extent(total)
        if told is not None:
            return told
        if name in {"view", "reshape", "flatten"} and len(shape) == 1:
            picture = _as_picture(total, self.spoken.is_torch)
            if picture is not None:
                return picture
        if name == "unsqueeze" and len(shape) > 1 and shape[0] == 1:
            return shape[1:]
        if name in {"view", "reshape"} and len(shape) == 3 and 1 in shape:
            return tuple(size for size in shape if size != 1) or shape
        if name == "permute" and len(shape) == 3:
            return (shape[1], shape[2], shape[0]) if self.spoken.is_torch else shape
        return shape

    def _told_extent(self, total: int) -> tuple[int, ...] | None:
        for extent in extents(self.evidence.body):
            if math.prod(extent.sizes) == total:
                return extent.sizes
        return None

    def _length(self) -> int:
        for fact in self.evidence.reading.about(FactKind.HYPERPARAMETER):
            if fact.name == "sequence_length" and fact.value.isdigit() and 0 < int(fact.value) < 2000:
                return int(fact.value)
        return 16

    def _side(self, channels: int) -> int:
        """The side of a picture: as told, as a data set of the report has it, else one that fits most networks."""
        for extent in extents(self.evidence.body):
            if len(extent.sizes) >= 2 and extent.sizes[0] == extent.sizes[1] and 4 <= extent.sizes[0] <= 512:
                return extent.sizes[0]
        for fact in self.evidence.reading.about(FactKind.DATASET):
            if "mnist" in fact.value:
                return 28
            if "imagenet" in fact.value:
                return 224
        return 28 if channels == 1 else 32

    def _input_by_words(self) -> _Found:
        """Nothing consumes it that is known: a shape that the report calls the input's, else a small table."""
        for fact in self.evidence.reading.about(FactKind.SHAPE):
            before = self.evidence.body[max(0, fact.start - 60) : fact.start].lower()
            sizes = dims(fact.value.strip("()"))
            if (
                re.search(r"input|data|image|sample|train", before)
                and len(sizes) >= 2
                and all(size is None or size > 0 for size in sizes)
            ):
                quote = self.evidence.quote(fact.start, fact.end)
                return _Found(Field(Meaning.FEATURES, self._filled(sizes[1:])), f'"{quote.text}"', [quote])
        return _Found(Field(Meaning.FEATURES, (8,)), "")

    def _target(self, consumed: list[Consumption]) -> _Found:
        for one in consumed:
            field, why = target_field(one, self.following, self.classes)
            if field is not None:
                quotes = (
                    [self.classes_quote] if self.classes_quote is not None and field.classes == self.classes else []
                )
                return _Found(field, why, quotes)
        return _Found(Field(Meaning.CLASSES, (), "int64", self.classes or 2), "")

    def _with_facts(self, gap: Missing, tag: str, place: int, found: _Found, is_target: bool) -> _Found:
        """What the report says outright goes before what was worked out."""
        named = self._named_shape(gap, place)
        if named is not None:
            sizes, quote = named
            found = _Found(found.field.but(shape=self._filled(sizes[1:])), f'"{quote.text}"', [quote])
        for hint in self.hints:
            if hint.role == ("target" if is_target else "input"):
                found = self._hinted(found, hint, is_target)
        if not is_target and re.search(rf"\b{re.escape(gap.name)}\b[^\n]*/\s*255", self.text):
            found = _Found(found.field.but(meaning=Meaning.PICTURES, dtype="uint8"), found.why, found.quotes)
        return found

    def _named_shape(self, gap: Missing, place: int) -> tuple[tuple[int | None, ...], Quote] | None:
        names = {gap.name, *(self._element_names(gap)[place : place + 1])}
        for fact in self.evidence.reading.about(FactKind.SHAPE):
            sizes = dims(fact.value.strip("()"))
            if fact.name in names and sizes and all(size is None or size > 0 for size in sizes):
                in_code = re.search(
                    rf"reshape\(|view\(|{re.escape(fact.name)}\s*=",
                    self.evidence.body[max(0, fact.start - 40) : fact.start],
                )
                if not in_code:
                    return sizes, self.evidence.quote(fact.start, fact.end)
        return None

    def _hinted(self, found: _Found, hint: Hint, is_target: bool) -> _Found:
        field = found.field
        if hint.shape is not None and all(size is None or size > 0 for size in hint.shape):
            field = field.but(shape=self._filled(hint.shape[1:]))
            if is_target:
                field = _retargeted(field, hint)
        if hint.dtype and hint.dtype != "one-hot":
            field = field.but(dtype=hint.dtype)
        if hint.odd == "out-of-range":
            field = (
                field.but(high=field.high + 5, classes=field.classes + 1)
                if is_target
                else field.but(high=field.high + 5)
            )
        if hint.odd == "ragged":
            field = field.but(ragged=True)
        quotes = [quote for quote in self.evidence.expectation.quotes[:1]]
        return _Found(field, "the message tells so", quotes)

    def _batch(self) -> int:
        for fact in self.evidence.reading.about(FactKind.HYPERPARAMETER):
            if fact.name == "batch_size" and fact.value.isdigit() and 0 < int(fact.value) <= 1024:
                return int(fact.value)
        for hint in self.hints:
            if hint.shape and hint.shape[0] and 1 < hint.shape[0] <= 512:
                return hint.shape[0]
        return 32

    def _agreed(self, specs: list[Spec]) -> list[Spec]:
        """Classes agree between what goes in and what comes out; odd rows where the message says so; lists where it says so."""
        rows = self.rows
        odd = {hint.odd for hint in self.hints}
        batch = next((spec.batch for spec in specs if spec.batch), 32)
        if "odd-rows" in odd:
            rows = max(batch * 2, rows // batch * batch) + max(batch // 2, 1)
        if "one-left" in odd:
            rows = batch * 2 + 1
        agreed = []
        for spec in specs:
            changed = spec.but(rows=rows)
            if any(hint.container == "list" for hint in self.hints) and not _is_target_spec(spec):
                changed = changed.but(container=Container.LIST)
            if (
                any(hint.container == "array" for hint in self.hints)
                and spec.container is Container.TENSOR
                and not _is_target_spec(spec)
            ):
                changed = changed.but(container=Container.ARRAY)
            if "unequal-rows" in odd and _is_target_spec(spec):
                changed = changed.but(rows=rows - max(1, rows // 10))
            agreed.append(changed)
        return agreed

    # ── the other solutions ─────────────────────────────────────────────────────────────────────────────────

    def twists(self, first: Solution) -> Iterator[Solution]:
        """Solutions that change one thing, those that the last failure asks for first."""
        yield from self._by_failure(first)
        yield from self._sides(first)
        for words, change in _TWISTS:
            specs = tuple(spec.but(fields=tuple(change(one) for one in spec.fields)) for spec in first.specs)
            if specs != first.specs:
                yield Solution(specs, words)
        for words, container in (
            ("as plain lists", Container.LIST),
            ("as NumPy arrays", Container.ARRAY),
            ("as tensors", Container.TENSOR),
        ):
            if container is Container.TENSOR and not self.spoken.is_torch:
                continue
            arrays = {Container.ARRAY, Container.TENSOR, Container.LIST}
            specs = tuple(spec.but(container=container) if spec.container in arrays else spec for spec in first.specs)
            if specs != first.specs:
                yield Solution(specs, words)
        batch = max(spec.batch for spec in first.specs) or 32
        yield Solution(
            tuple(spec.but(rows=batch * 2 + batch // 2) for spec in first.specs), "rows that do not fill the last batch"
        )

    def _by_failure(self, first: Solution) -> Iterator[Solution]:
        """What the message of the last run asks for, unless it is what the report complains about."""
        for hint in self.failure_hints:
            wanted = self._asked_for(hint)
            if wanted is None:
                continue
            role, change = wanted
            specs = tuple(
                spec.but(
                    fields=tuple(change(one) if one.is_target == (role == "target") else one for one in spec.fields)
                )
                for spec in first.specs
            )
            if specs != first.specs:
                yield Solution(specs, "as the last error asks")

    def _asked_for(self, hint: Hint) -> tuple[str, _ChangeField] | None:
        message = self.evidence.failure.message if self.evidence.failure is not None else ""
        if found := re.search(
            r"expected (?:shape=|\S+ to have shape |axis -1 of input shape to have value )[(\[]?(?P<s>[\dNone, ]+)",
            message,
        ):
            sizes = dims(found["s"])
            wanted = self._filled(sizes[1:] if sizes and sizes[0] is None else sizes)
            return hint.role, lambda one: one.but(shape=wanted)
        if found := re.search(r"to have (?P<n>\d+) dimensions|ndim=(?P<m>\d+), found", message):
            rank = int(found["n"] or found["m"])
            return hint.role, lambda one: one.but(shape=_with_rank(one.shape, rank - 1))
        if found := re.search(r"and (?P<f>\d+)x\d+\)", message):
            width = int(found["f"])
            return "input", lambda one: one.but(shape=(*one.shape[:-1], width)) if one.shape else one
        if found := re.search(r"to have (?P<c>\d+) channels", message):
            channels = int(found["c"])
            return "input", lambda one: one.but(shape=(channels, *one.shape[1:])) if len(one.shape) == 3 else one
        if hint.dtype:
            wanted_type = "int64" if re.search(r"Long|indices|int64", message.split("but")[0]) else "float32"
            return hint.role, lambda one: one.but(dtype=wanted_type)
        return None

    def _sides(self, first: Solution) -> Iterator[Solution]:
        """Other picture sizes, those first with which the reported number of flattened features comes out."""
        if not any(len(one.shape) == 3 for spec in first.specs for one in spec.fields):
            return
        for side in _PICTURE_SIDES:
            specs = tuple(spec.but(fields=tuple(_with_side(one, side) for one in spec.fields)) for spec in first.specs)
            if specs != first.specs:
                yield Solution(specs, f"pictures of {side} x {side}")


@dataclass(frozen=True, slots=True)
class _Found:
    field: Field
    why: str
    quotes: list[Quote] | tuple[Quote, ...] = ()


from collections.abc import Callable  # noqa: E402

_ChangeField = Callable[[Field], Field]


_TRANSPARENT = {"Flatten", "ReLU", "Dropout", "Identity", "InputLayer", "Rescaling"}


def _as_picture(total: int, torch: bool) -> tuple[int, ...] | None:
    """A square picture with one or three channels that has so many elements."""
    for channels in (1, 3):
        side = math.isqrt(total // channels)
        if total % channels == 0 and side * side * channels == total and side > 3:
            if torch:
                return (channels, side, side)
            return (side, side) if channels == 1 else (side, side, channels)
    return None


def _is_target_spec(spec: Spec) -> bool:
    return all(one.is_target for one in spec.fields)


def _retargeted(field: Field, hint: Hint) -> Field:
    """A target whose shape the message gives: one column is a class number or a value, several are one-hot."""
    width = field.shape[-1] if field.shape else 1
    if field.meaning in {Meaning.ONE_HOT, Meaning.CLASSES}:
        if width > 1:
            return field.but(meaning=Meaning.ONE_HOT, dtype="float32", classes=width)
        return field.but(meaning=Meaning.CLASSES, dtype="int64")
    return field


def _with_rank(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    if len(shape) > rank:
        return (math.prod(shape[: len(shape) - rank + 1]), *shape[len(shape) - rank + 1 :]) if rank else ()
    return (*shape, *([1] * (rank - len(shape))))


def _with_side(field: Field, side: int) -> Field:
    if len(field.shape) != 3 or field.is_target:
        return field
    if field.shape[0] <= 4:
        return field.but(shape=(field.shape[0], side, side))
    return field.but(shape=(side, side, field.shape[2]))


def _classes_as(dtype: str, shape: tuple[int, ...] | None = None) -> _ChangeField:
    def change(one: Field) -> Field:
        if not one.is_target:
            return one
        return (
            one.but(dtype=dtype)
            if shape is None
            else one.but(
                dtype=dtype, shape=shape, meaning=Meaning.CLASSES if one.meaning is Meaning.ONE_HOT else one.meaning
            )
        )

    return change


def _input_as(**changes: object) -> _ChangeField:
    return lambda one: one if one.is_target else one.but(**changes)


_TWISTS: tuple[tuple[str, _ChangeField], ...] = (
    ("targets as float64", _classes_as("float64")),
    ("targets as float32", _classes_as("float32")),
    ("targets as integers", _classes_as("int64")),
    ("targets in a column", _classes_as("int64", (1,))),
    ("targets without a second axis", _classes_as("int64", ())),
    ("targets one-hot", lambda one: one.but(meaning=Meaning.ONE_HOT, dtype="float32", shape=(one.classes,)) if one.meaning is Meaning.CLASSES else one),
    ("inputs as float64", _input_as(dtype="float64")),
    ("inputs as integers", _input_as(dtype="int64")),
    ("inputs without their last axis", lambda one: one if one.is_target or len(one.shape) < 2 else one.but(shape=one.shape[:-1])),
    ("inputs without their first axis", lambda one: one if one.is_target or len(one.shape) < 2 else one.but(shape=one.shape[1:])),
    ("inputs flattened", lambda one: one if one.is_target or len(one.shape) < 2 else one.but(shape=(math.prod(one.shape),))),
    ("inputs with axes in the other order", lambda one: one if one.is_target or len(one.shape) < 2 else one.but(shape=(*one.shape[1:], one.shape[0]))),
    ("inputs of large values", lambda one: one if one.is_target else one.but(scale=one.scale * 1000)),
    ("class numbers from 1", lambda one: one.but(low=1) if one.meaning is Meaning.CLASSES else one),
    ("samples of different lengths", _input_as(ragged=True)),
    ("some values missing", _input_as(with_nan=True)),
)  # fmt: skip


def _shown(sizes: tuple[int | None, ...]) -> str:
    return f"({', '.join('?' if size is None else str(size) for size in sizes)})"


def unpacked(value: Value) -> list[Tensor]:
    """The tensors of a value."""
    if isinstance(value, Items):
        return [one for one in value.items if isinstance(one, Tensor)]
    return [value] if isinstance(value, Tensor) else []


Bound = Mapping[str, Value]
