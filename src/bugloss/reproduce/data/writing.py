"""Made-up data as lines of Python: plain, seeded, and such that something can be learned from them."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.reproduce.data.frames import table_code_for
from bugloss.reproduce.data.spec import Container, Field, Meaning, Solution, Spec, grouped
from bugloss.reproduce.data.usage import columns_of
from bugloss.reproduce.stack.imports import Dialect

BEGIN = "# made-up data"
END = "# end of made-up data"
# No block holds the beginning of another, so that a beginning without an end is not followed through the whole text.
BLOCK = rf"(?ms)^{BEGIN}(?:(?!^{BEGIN}).)*?^{END}\n"
_SETS = (Container.LOADER, Container.DATASET, Container.TF_DATASET)
_PARTITION = re.compile(r"(?:^|_)(train|tr|test|te|val(?:id(?:ation)?)?|valid|dev|new|held)(?=_|\d|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Part:
    """One field under the name that holds it while the block is written."""

    variable: str
    field: Field
    spec: Spec


def block(solution: Solution, spoken: Dialect, text: str) -> str:
    """The lines that make up the data, between two marks, so that another choice can take their place."""
    body = list(_lines(solution, spoken, text))
    return "\n".join([*_heading(solution), *_imports(body, text), *body, END])


def without_block(text: str) -> str:
    """A program without its made-up data."""
    return re.sub(f"{BLOCK}?", "", text)


def seeded(text: str, seed: int) -> str:
    """The program with another seed for what was made up."""
    return re.sub(r"default_rng\(0\)", f"default_rng({seed})", text)


def _heading(solution: Solution) -> Iterator[str]:
    yield f"{BEGIN}{f' ({solution.twist})' if solution.twist else ''}: the report does not give it"
    for spec in solution.specs:
        words = f'; from the words "{_short(spec.quotes[0].text)}"' if spec.quotes else ""
        for line in textwrap.wrap(f"{spec.name}: {_short(spec.why, 90)}{words}", 108):
            yield f"#   {line}"


def _short(text: str, most: int = 60) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def _imports(body: list[str], text: str) -> Iterator[str]:
    code = "\n".join(body)
    for name, statement in (
        ("np.", "import numpy as np"),
        ("torch.", "import torch"),
        ("tf.", "import tensorflow as tf"),
        ("itertools.", "import itertools"),
        ("pd.", "import pandas as pd"),
    ):
        if re.search(rf"(?<![\w.]){re.escape(name)}", code) and not re.search(
            rf"^\s*{statement}\s*(?:#.*)?$", text, re.MULTILINE
        ):
            yield statement


def _lines(solution: Solution, spoken: Dialect, text: str) -> Iterator[str]:
    yield "made_up = np.random.default_rng(0)"
    arrays = [spec for spec in solution.specs if spec.container is not Container.TABLE]
    parts = [_Part(_variable(spec, place), one, spec) for spec in arrays for place, one in enumerate(spec.fields)]
    shared: dict[tuple[int, tuple[int, ...]], str] = {}
    for inputs, target in _pairs(parts):
        yield from _pair(inputs, target, shared, text)
    for spec in solution.specs:
        yield from _contained(spec, [part for part in parts if part.spec is spec], spoken, text)


def _variable(spec: Spec, place: int) -> str:
    if spec.container in _SETS or spec.function:
        word = re.sub(r"\W", "_", spec.name)
        return f"{word}_{'inputs' if place == 0 else 'targets' if place == 1 else f'part_{place}'}"
    return spec.name


def _pairs(parts: list[_Part]) -> Iterator[tuple[list[_Part], _Part | None]]:
    """Inputs with the target that belongs to them: of one set, or of names with the same train or test in them."""
    free = list(parts)
    for target in [part for part in parts if part.field.is_target]:
        own = [part for part in free if not part.field.is_target and part.spec is target.spec]
        if not own:
            own = [
                part
                for part in free
                if not part.field.is_target and _partition(part.variable) == _partition(target.variable)
            ]
        for part in (*own, target):
            free.remove(part)
        yield own, target
    for part in free:
        yield [part], None


def _partition(name: str) -> str:
    found = _PARTITION.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name))
    return found[1].lower()[:3] if found else ""


def _pair(
    inputs: list[_Part], target: _Part | None, centres: dict[tuple[int, tuple[int, ...]], str], text: str
) -> Iterator[str]:
    kinds = ""
    rows = (target or inputs[0]).spec.rows
    if (
        target is not None
        and target.field.meaning is not Meaning.VALUES
        and math.prod(target.field.shape or (1,)) <= max(target.field.classes, 1)
    ):
        kinds = f"{target.variable}_kinds"
        low = int(target.field.low)
        drawn = f"made_up.integers({low}, {target.field.classes + low}, {rows})"
        yield f"{kinds} = np.sort({drawn})" if target.field.ordered else f"{kinds} = {drawn}"
    for part in inputs:
        yield from _input(part, kinds, target, centres)
    if target is not None and kinds and target.field.wrong:
        other = f"made_up.integers({int(target.field.low)}, {target.field.classes + int(target.field.low)}, {rows})"
        yield f"{kinds} = np.where(made_up.random({rows}) < {target.field.wrong:g}, {other}, {kinds})"
    if target is not None and target.field.meaning is Meaning.VALUES:
        yield from _values(target, inputs, centres)
    elif target is not None:
        yield f"{target.variable} = {_target(target, kinds, inputs)}"
    if target is None:
        yield from _answer_column(inputs[0], text)


def _answer_column(part: _Part, text: str) -> Iterator[str]:
    """In a table of which one column is the answer, that column follows from the others."""
    columns = columns_of(text, part.variable)
    if columns is None or columns.alone is None or columns.stretch is None:
        return
    first, last = columns.stretch
    if first <= columns.alone < last:
        return
    name, yes = part.variable, " > 0" if re.search(r"binary_cross|BCE|sigmoid", text) else ""
    follows = f"({name}[:, {first}:{last}] @ made_up.normal(size={last - first}){yes})"
    yield f"{name}[:, {columns.alone}] = {follows}{'' if yes else f' / {max(1.0, math.sqrt(last - first)):.3g}'}"


def _input(
    part: _Part, kinds: str, target: _Part | None, centres: dict[tuple[int, tuple[int, ...]], str]
) -> Iterator[str]:
    one, rows, name = part.field, part.spec.rows, part.variable
    size = _tuple((rows, *one.shape))
    if one.ragged:
        lengths = _tuple_inner((0, *one.shape[1:]), "made_up.integers(4, 12)")
        yield f"{name} = [made_up.normal(size=({lengths})) for _ in range({rows})]"
        return
    if one.meaning is Meaning.WORDS:
        yield 'vocabulary = ["good", "bad", "film", "plot", "long"]'
        yield f'{name} = np.array([" ".join(made_up.choice(vocabulary, 6)) for _ in range({rows})])'
        return
    if one.meaning is Meaning.SWITCHES:
        yield f'{name} = (made_up.random({size}) < 0.3).astype("float32")'
        if one.shape:
            yield f"{name}[::8] = 0"
        return
    if one.meaning is Meaning.TOKENS:
        yield from _tokens(part, kinds, target)
        return
    made = f"made_up.normal(size={size})"
    if kinds and target is not None and target.spec.rows == rows:
        classes = target.field.classes + int(target.field.low)
        key = (classes, one.shape)
        if key not in centres:
            centres[key] = "centres" if not centres else f"centres_{len(centres) + 1}"
            yield f"{centres[key]} = made_up.normal(size={_tuple((classes, *one.shape))})"
        made = f"{centres[key]}[{kinds}] + made_up.normal(scale={one.noise:g}, size={size})"
    if one.meaning is Meaning.PICTURES:
        yield f'{name} = np.clip(128 + 60 * ({made}), 0, 255).astype("{one.dtype}")'
        return
    if one.unit:
        made = f"np.clip(0.5 + 0.2 * ({made}), 0, 1)"
    if one.scale != 1:
        made = f"{one.scale:g} * ({made})"
    yield f"{name} = {_typed(made, one.dtype)}"
    if one.with_nan:
        yield f"{name}.flat[::37] = np.nan"


def _tokens(part: _Part, kinds: str, target: _Part | None) -> Iterator[str]:
    one, rows = part.field, part.spec.rows
    size, vocabulary = _tuple((rows, *one.shape)), max(int(one.high), 2)
    classes = target.field.classes if target is not None else 1
    if kinds and vocabulary >= 2 * classes:
        width = vocabulary // classes
        shape = f"{kinds}.reshape({', '.join(['-1', *['1'] * len(one.shape)])})"
        yield f"{part.variable} = made_up.integers(0, {width}, {size}) + {width} * {shape}"
    else:
        yield f"{part.variable} = made_up.integers(0, {vocabulary}, {size})"


def _target(part: _Part, kinds: str, inputs: list[_Part]) -> str:
    one, rows = part.field, part.spec.rows
    twin = next((other for other in inputs if other.field.shape == one.shape and other.spec.rows == rows), None)
    if not kinds and twin is not None and one.meaning is Meaning.BINARY:
        return f'({twin.variable} > 0).astype("{one.dtype}")'
    if not kinds:
        return _typed(f"made_up.integers(0, {max(one.classes, 2)}, {_tuple((rows, *one.shape))})", one.dtype)
    if one.meaning is Meaning.ONE_HOT:
        hot = f"np.eye({one.classes})[{kinds}]"
        return _typed(
            hot if len(one.shape) == 1 else f"np.broadcast_to({hot}, {_tuple((rows, *one.shape))})", one.dtype
        )
    shaped = kinds if not one.shape else f"{kinds}.reshape({', '.join(['-1', *['1'] * len(one.shape)])})"
    if math.prod(one.shape or (1,)) > 1:
        shaped = f"np.broadcast_to({shaped}, {_tuple((rows, *one.shape))})"
    return _typed(shaped, one.dtype, integer=True)


def _values(part: _Part, inputs: list[_Part], shared: dict[tuple[int, tuple[int, ...]], str]) -> Iterator[str]:
    """Values that follow from the inputs in the same way for every part of the data."""
    one, rows = part.field, part.spec.rows
    size = _tuple((rows, *one.shape))
    usable = (other for other in inputs if other.field.meaning is not Meaning.WORDS and not other.field.ragged)
    source = next((other for other in usable if other.spec.rows == rows), None)
    if source is None:
        yield f"{part.variable} = {_typed(f'made_up.normal(size={size})', one.dtype)}"
        return
    cropped = _crop(source.field.shape, one.shape)
    if cropped is not None:
        yield f"{part.variable} = {_typed(f'{source.variable}{cropped}', one.dtype)}"
        return
    width, wanted = math.prod(source.field.shape or (1,)), math.prod(one.shape or (1,))
    key = (-width, (wanted,))
    if key not in shared:
        known = sum(name.startswith("mixing") for name in shared.values())
        shared[key] = f"mixing_{known + 1}" if known else "mixing"
        yield f"{shared[key]} = made_up.normal(size=({width}, {wanted})) / {max(1.0, math.sqrt(width)):.3g}"
    product = f"({source.variable}.reshape({rows}, {width}) @ {shared[key]}).reshape{size}"
    made = f"({product} + {0.2 * one.noise:g} * made_up.normal(size={size}))"
    yield f"{part.variable} = {_typed(f'{one.scale:g} * {made}' if one.scale != 1 else made, one.dtype)}"


def _crop(inner: tuple[int, ...], outer: tuple[int, ...]) -> str | None:
    """How a target of about the input's shape is cut from it; None where the shapes have nothing in common."""
    if len(inner) != len(outer) or math.prod(outer) < 2 or any(a < b for a, b in zip(inner, outer, strict=True)):
        return None
    if inner == outer:
        return ""
    if math.prod(outer) * 3 < math.prod(inner):
        return None
    cuts = [f"{(a - b) // 2}:{(a - b) // 2 + b}" for a, b in zip(inner, outer, strict=True)]
    return f"[:, {', '.join(cuts)}]"


def _typed(code: str, dtype: str, integer: bool = False) -> str:
    if dtype == ("int64" if integer or "integers(" in code[:18] else "float64"):
        return code
    wrapped = (
        code
        if re.fullmatch(r"[\w.]+(?:\[\w+\])?(?:\.\w+\([^()]*\))?", code)
        or (code.startswith("(") and code.endswith(")") and _is_one_group(code))
        or re.fullmatch(r"[\w.]+\((?:[^()]|\([^()]*\))*\)", code)
        else f"({code})"
    )
    return f'{wrapped}.astype("{dtype}")'


def _is_one_group(code: str) -> bool:
    depth = 0
    for place, character in enumerate(code):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(code) - 1
    return False


def _tuple(sizes: tuple[int, ...]) -> str:
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(map(str, sizes))})"


def _tuple_inner(sizes: tuple[int, ...], first: str) -> str:
    return ", ".join([first, *map(str, sizes[1:])]) + ("," if len(sizes) == 1 else "")


def _table(spec: Spec, text: str) -> str:
    """A frame with the columns that the program uses."""
    return table_code_for(spec.name, text)


def _contained(spec: Spec, parts: list[_Part], spoken: Dialect, text: str) -> Iterator[str]:
    """The container that the program expects, around arrays that are there already."""
    names = [part.variable for part in parts]
    if spec.container is Container.TABLE:
        yield f"{spec.name} = {_table(spec, text)}"
        return
    if spec.function and spec.container not in _SETS:
        values = [_converted(part, spec.container) for part in parts]
        yield f"def {spec.name}(*arguments, **options):"
        yield f"    return {grouped(values, spec.groups)}"
        return
    if spec.container in _SETS:
        made = _set(spec, parts, spoken, text)
        if spec.function:
            yield f"def {spec.name}(*arguments, **options):"
            yield f"    return {made}"
        else:
            yield f"{spec.name} = {made}"
        return
    for part, name in zip(parts, names, strict=True):
        converted = _converted(part, spec.container)
        if converted != name:
            yield f"{name} = {converted}"


def _converted(part: _Part, container: Container) -> str:
    if container is Container.TENSOR:
        if part.field.ragged:
            return f"[torch.from_numpy(sample).float() for sample in {part.variable}]"
        return f"torch.from_numpy({part.variable})"
    if container is Container.LIST:
        return (
            f"{part.variable}.tolist()" if not part.field.ragged else f"[sample.tolist() for sample in {part.variable}]"
        )
    return part.variable


def _set(spec: Spec, parts: list[_Part], spoken: Dialect, text: str) -> str:
    names = [part.variable for part in parts]
    if spoken.is_torch:
        alone = re.search(rf"for\s+\(?\s*\w+\s*,\s*\)?\s+in\s+(?:\w+\()?{re.escape(spec.name)}\b", text)
        return _torch_set(spec, parts, in_tuples=alone is not None)
    eager = re.search(r"GradientTape|tf\.function|tf\.data", text)
    if spec.container is Container.LOADER and ("fit_generator" in text or spec.function or not eager):
        cut = ", ".join(f"{name}[at:at + {spec.batch or 32}]" for name in names)
        batches = f"[({cut}) for at in range(0, {spec.rows}, {spec.batch or 32})]"
        return f"itertools.cycle({batches})" if "fit_generator" in text else batches
    if spec.keys:
        inner = ", ".join(f'"{key}": {name}' for key, name in zip(spec.keys, names, strict=False))
        made = f"tf.data.Dataset.from_tensor_slices({{{inner}}})"
    else:
        made = (
            f"tf.data.Dataset.from_tensor_slices(({', '.join(names)}{',' if len(names) == 1 else ''}))"
            if len(names) > 1
            else f"tf.data.Dataset.from_tensor_slices({names[0]})"
        )
    batched_later = re.search(rf"\b{re.escape(spec.name)}\s*(?:\.\w+\([^()]*\))*\.(?:batch|padded_batch)\(", text)
    return made if batched_later and spec.container is Container.TF_DATASET else f"{made}.batch({spec.batch or 32})"


def _torch_set(spec: Spec, parts: list[_Part], in_tuples: bool = False) -> str:
    if any(part.field.ragged for part in parts):
        inner = ", ".join(
            f"torch.from_numpy({part.variable}[at]).float()"
            if part.field.ragged
            else f"torch.tensor({part.variable}[at])"
            for part in parts
        )
        dataset = f"[({inner}) for at in range({spec.rows})]"
    elif spec.keys:
        inner = ", ".join(
            f'"{key}": torch.from_numpy({part.variable})[at]' for key, part in zip(spec.keys, parts, strict=False)
        )
        dataset = f"[{{{inner}}} for at in range({spec.rows})]"
    elif len(parts) == 1 and not in_tuples:
        dataset = f"torch.from_numpy({parts[0].variable})"
    else:
        tensors = ", ".join(f"torch.from_numpy({part.variable})" for part in parts)
        dataset = f"torch.utils.data.TensorDataset({tensors})"
    if spec.container is Container.DATASET:
        return dataset
    return f"torch.utils.data.DataLoader({dataset}, batch_size={spec.batch or 32}, shuffle=True)"
