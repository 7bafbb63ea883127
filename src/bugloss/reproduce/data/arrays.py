"""Stand-in arrays as lines of Python: plain, seeded, and such that something can be learned from them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.reproduce.data.spec import SETS, DataContainer, DataField, DataMeaning, DataSpec, StandInData
from bugloss.reproduce.data.usage import columns_of

_PARTITION = re.compile(r"(?:^|_)(train|tr|test|te|val(?:id(?:ation)?)?|valid|dev|new|held)(?=_|\d|$)", re.IGNORECASE)
_Shared = dict[tuple[int, tuple[int, ...]], str]  # centres and mixtures that several arrays are made with, by size


@dataclass(frozen=True, slots=True)
class NamedArray:
    """One field of the data under the name that holds it."""

    name: str
    field: DataField
    spec: DataSpec

    @property
    def size(self) -> str:
        return size_code((self.spec.rows, *self.field.shape))


@dataclass(frozen=True, slots=True)
class LearningTask:
    """Inputs with the target that belongs to them, if any."""

    inputs: tuple[NamedArray, ...]
    target: NamedArray | None = None

    @property
    def kinds(self) -> str:
        """The variable with the class index of each row; empty where the target is not one class per sample."""
        if self.target is None or self.target.field.meaning is DataMeaning.VALUES:
            return ""
        one = self.target.field
        return f"{self.target.name}_kinds" if math.prod(one.shape or (1,)) <= max(one.classes, 1) else ""

    @property
    def drawn_kinds(self) -> str:
        one, low = self.target.field, int(self.target.field.low)  # type: ignore[union-attr]
        return f"stand_in.integers({low}, {one.classes + low}, {self.target.spec.rows})"  # type: ignore[union-attr]


@dataclass(frozen=True, slots=True)
class ArrayBlock:
    """The arrays of stand-in data, the lines that make them, and what can be learned from them."""

    arrays: tuple[NamedArray, ...]
    tasks: tuple[LearningTask, ...]
    lines: tuple[str, ...]

    @property
    def task(self) -> LearningTask | None:
        """The first task whose target is a class, else one whose target follows from the inputs."""
        classes = [task for task in self.tasks if task.kinds]
        return next(iter(classes or [task for task in self.tasks if task.target and task.inputs]), None)

    @property
    def first_input(self) -> NamedArray | None:
        """The first array of numbers that goes into a network."""
        usable = {DataMeaning.FEATURES, DataMeaning.IMAGES, DataMeaning.TOKENS}
        inputs = (one for task in self.tasks for one in task.inputs)
        return next((one for one in inputs if one.field.meaning in usable and not one.field.ragged), None)


def write_arrays(data: StandInData, text: str) -> ArrayBlock:
    """The arrays of all data but tables; ``text`` is the program that takes them."""
    specs = [spec for spec in data.specs if spec.container is not DataContainer.TABLE]
    arrays = [NamedArray(_name(spec, place), one, spec) for spec in specs for place, one in enumerate(spec.fields)]
    tasks, shared = tuple(_tasks(arrays)), _Shared()
    return ArrayBlock(tuple(arrays), tasks, tuple(line for task in tasks for line in _task(task, shared, text)))


def size_code(sizes: tuple[int, ...]) -> str:
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(map(str, sizes))})"


def _name(spec: DataSpec, place: int) -> str:
    if spec.container in SETS or spec.function:
        word = re.sub(r"\W", "_", spec.name)
        return f"{word}_{'inputs' if place == 0 else 'targets' if place == 1 else f'part_{place}'}"
    return spec.name


def _tasks(arrays: list[NamedArray]) -> Iterator[LearningTask]:
    """Inputs with the target that belongs to them: of one set, or of names with the same train or test in them."""
    free = list(arrays)
    for target in [one for one in arrays if one.field.is_target]:
        inputs = [one for one in free if not one.field.is_target]
        own = [one for one in inputs if one.spec is target.spec]
        own = own or [one for one in inputs if _partition(one.name) == _partition(target.name)]
        for one in (*own, target):
            free.remove(one)
        yield LearningTask(tuple(own), target)
    for one in free:
        yield LearningTask((one,))


def _partition(name: str) -> str:
    found = _PARTITION.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name))
    return found[1].lower()[:3] if found else ""


def _task(task: LearningTask, shared: _Shared, text: str) -> Iterator[str]:
    target, kinds = task.target, task.kinds
    if target is not None and kinds:
        yield f"{kinds} = np.sort({task.drawn_kinds})" if target.field.ordered else f"{kinds} = {task.drawn_kinds}"
    for one in task.inputs:
        yield from _input(one, task, shared)
    if target is None:
        yield from _answer_column(task.inputs[0], text)
        return
    if kinds and target.field.wrong:
        rows = target.spec.rows
        yield f"{kinds} = np.where(stand_in.random({rows}) < {target.field.wrong:g}, {task.drawn_kinds}, {kinds})"
    if target.field.meaning is DataMeaning.VALUES:
        yield from _values(target, task.inputs, shared)
    else:
        yield f"{target.name} = {_target(target, kinds, task.inputs)}"


def _answer_column(one: NamedArray, text: str) -> Iterator[str]:
    """In a table of which one column is the answer, that column follows from the others."""
    columns = columns_of(text, one.name)
    if columns is None or columns.alone is None or columns.stretch is None:
        return
    first, last = columns.stretch
    if first <= columns.alone < last:
        return
    yes = " > 0" if re.search(r"binary_cross|BCE|sigmoid", text) else ""
    follows = f"({one.name}[:, {first}:{last}] @ stand_in.normal(size={last - first}){yes})"
    yield f"{one.name}[:, {columns.alone}] = {follows}{'' if yes else f' / {max(1.0, math.sqrt(last - first)):.3g}'}"


def _input(array: NamedArray, task: LearningTask, shared: _Shared) -> Iterator[str]:
    one, name, rows = array.field, array.name, array.spec.rows
    if one.ragged:
        lengths = size_code((0, *one.shape[1:])).replace("(0", "(stand_in.integers(4, 12)")
        yield f"{name} = [stand_in.normal(size={lengths}) for _ in range({rows})]"
    elif one.meaning is DataMeaning.WORDS:
        yield 'vocabulary = ["good", "bad", "film", "plot", "long"]'
        yield f'{name} = np.array([" ".join(stand_in.choice(vocabulary, 6)) for _ in range({rows})])'
    elif one.meaning is DataMeaning.SWITCHES:
        yield f'{name} = (stand_in.random({array.size}) < 0.3).astype("float32")'
        if one.shape:
            yield f"{name}[::8] = 0"
    elif one.meaning is DataMeaning.TOKENS:
        yield f"{name} = {_tokens(array, task)}"
    else:
        yield from _numbers(array, task, shared)


def _numbers(array: NamedArray, task: LearningTask, shared: _Shared) -> Iterator[str]:
    """Numbers around one centre for each class; without classes around zero."""
    one, name, target = array.field, array.name, task.target
    made = f"stand_in.normal(size={array.size})"
    if task.kinds and target is not None and target.spec.rows == array.spec.rows:
        classes = target.field.classes + int(target.field.low)
        key = (classes, one.shape)
        if key not in shared:
            shared[key] = "centres" if not shared else f"centres_{len(shared) + 1}"
            yield f"{shared[key]} = stand_in.normal(size={size_code((classes, *one.shape))})"
        made = f"({shared[key]}[{task.kinds}] + stand_in.normal(scale={one.noise:g}, size={array.size}))"
    if one.meaning is DataMeaning.IMAGES:
        yield f'{name} = np.clip(128 + 60 * {made}, 0, 255).astype("{one.dtype}")'
        return
    if one.unit:
        made = f"np.clip(0.5 + 0.2 * {made}, 0, 1)"
    if one.scale != 1:
        made = f"({one.scale:g} * {made})"
    yield f"{name} = {made}{_cast('float64', one.dtype)}"
    if one.with_nan:
        yield f"{name}.flat[::37] = np.nan"


def _tokens(array: NamedArray, task: LearningTask) -> str:
    """Numbers of words, of another part of the vocabulary for each class where it is large enough."""
    vocabulary = max(int(array.field.high), 2)
    classes = task.target.field.classes if task.target is not None else 1
    if not task.kinds or vocabulary < 2 * classes:
        return f"stand_in.integers(0, {vocabulary}, {array.size})"
    width = vocabulary // classes
    return f"stand_in.integers(0, {width}, {array.size}) + {width} * {_as_column(task.kinds, array.field)}"


def _as_column(kinds: str, one: DataField) -> str:
    return f"{kinds}.reshape({', '.join(['-1', *['1'] * len(one.shape)])})" if one.shape else kinds


def _target(array: NamedArray, kinds: str, inputs: tuple[NamedArray, ...]) -> str:
    one, rows = array.field, array.spec.rows
    if not kinds:
        twin = next((two for two in inputs if two.field.shape == one.shape and two.spec.rows == rows), None)
        if twin is not None and one.meaning is DataMeaning.BINARY:
            return f'({twin.name} > 0).astype("{one.dtype}")'
        return f"stand_in.integers(0, {max(one.classes, 2)}, {array.size}){_cast('int64', one.dtype)}"
    if one.meaning is DataMeaning.ONE_HOT:
        hot = f"np.eye({one.classes})[{kinds}]"
        hot = hot if len(one.shape) == 1 else f"np.broadcast_to({hot}, {array.size})"
        return hot + _cast("float64", one.dtype)
    column = _as_column(kinds, one)
    column = f"np.broadcast_to({column}, {array.size})" if math.prod(one.shape or (1,)) > 1 else column
    return column + _cast("int64", one.dtype)


def _values(array: NamedArray, inputs: tuple[NamedArray, ...], shared: _Shared) -> Iterator[str]:
    """Values that follow from the inputs in the same way for every part of the data."""
    one, rows, cast = array.field, array.spec.rows, _cast("float64", array.field.dtype)
    usable = (two for two in inputs if two.field.meaning is not DataMeaning.WORDS and not two.field.ragged)
    source = next((two for two in usable if two.spec.rows == rows), None)
    if source is None:
        yield f"{array.name} = stand_in.normal(size={array.size}){cast}"
        return
    cropped = _crop(source.field.shape, one.shape)
    if cropped is not None:
        yield f"{array.name} = {source.name}{cropped}{cast}"
        return
    width, wanted = math.prod(source.field.shape or (1,)), math.prod(one.shape or (1,))
    key = (-width, (wanted,))
    if key not in shared:
        known = sum(name.startswith("mixing") for name in shared.values())
        shared[key] = f"mixing_{known + 1}" if known else "mixing"
        yield f"{shared[key]} = stand_in.normal(size=({width}, {wanted})) / {max(1.0, math.sqrt(width)):.3g}"
    product = f"({source.name}.reshape({rows}, {width}) @ {shared[key]}).reshape{array.size}"
    made = f"({product} + {0.2 * one.noise:g} * stand_in.normal(size={array.size}))"
    yield f"{array.name} = {f'({one.scale:g} * {made})' if one.scale != 1 else made}{cast}"


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


def _cast(have: str, want: str) -> str:
    """The conversion behind an expression that NumPy gives another type than is wanted."""
    return "" if have == want else f'.astype("{want}")'
