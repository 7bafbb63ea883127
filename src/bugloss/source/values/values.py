"""Abstract values: what is known of an expression without running it, and the operations that made them.

Unknown stays unknown.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, field, replace
from typing import Any

# Numbers beyond it are not followed: a few operations more, and they would fill the memory. It also fits every float.
LARGEST = 2**128


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is known."""


UNKNOWN = Unknown()


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, text, truth value or None that is written in the source or follows from it."""

    value: Any
    node: ast.expr | None = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class Items:
    """A list or tuple whose elements are known one by one."""

    items: list[Value]
    is_tuple: bool = False
    complete: bool = True  # False once elements were added that could not be followed


@dataclass(slots=True)
class TableValue:
    """A dict with constant keys."""

    items: dict[Any, Value]


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers that a value may take. ``known`` says that something bounds it; infinite ends are open."""

    low: float = -math.inf
    high: float = math.inf

    def __post_init__(self) -> None:
        """Ends that are NaN, or whole numbers too large to be followed, are open."""
        for name, end, unbounded in (("low", self.low, -math.inf), ("high", self.high, math.inf)):
            if not -LARGEST < end < LARGEST and (isinstance(end, int) or math.isnan(end)):
                object.__setattr__(self, name, unbounded)

    @property
    def known(self) -> bool:
        return self.low > -math.inf or self.high < math.inf

    def contains(self, number: float) -> bool:
        return self.low <= number <= self.high

    def union(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))


ANYTHING = Interval()

# A dimension is a number, a name for an unknown but fixed one (such as "batch"), or None.
Dim = int | str | None
Shape = tuple[Dim, ...]


@dataclass(frozen=True, slots=True)
class Tensor:
    """An array or tensor: shape, dtype and range as far as they are known.

    ``library`` is torch, tensorflow, keras (symbolic) or numpy. ``made_by`` is the canonical name of the operation
    that produced it and ``inputs`` its operands, so that rules can look back through a computation.
    """

    library: str
    shape: Shape | None = None
    dtype: str | None = None
    interval: Interval = ANYTHING
    made_by: str | None = None
    inputs: tuple[Value, ...] = ()
    node: ast.expr | None = field(default=None, compare=False, repr=False)
    facts: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """A dimension that is too large to be followed is unknown."""
        for dim in self.shape or ():
            if isinstance(dim, int) and not -LARGEST < dim < LARGEST:
                object.__setattr__(self, "shape", tuple(map(_bounded, self.shape or ())))
                return

    def with_(self, **changes: Any) -> Tensor:
        return replace(self, **changes)

    @property
    def rank(self) -> int | None:
        return None if self.shape is None else len(self.shape)


@dataclass(slots=True, eq=False)
class Layer:
    """A layer or parameterised module of a framework, with its arguments by parameter name."""

    framework: str
    kind: str
    arguments: dict[str, Value]
    node: ast.Call
    uses: int = 0

    @property
    def name(self) -> str:
        """The short class name: ``Dense``, ``Conv2d``."""
        return self.kind.rsplit(".", 1)[-1]

    def number(self, key: str) -> float | None:
        """An argument when it is a known number."""
        return number_of(self.arguments.get(key, UNKNOWN))

    def integer(self, key: str) -> int | None:
        number = self.number(key)
        return number if isinstance(number, int) else None

    def text(self, key: str) -> str | None:
        value = self.arguments.get(key)
        return value.value if isinstance(value, Constant) and isinstance(value.value, str) else None


@dataclass(slots=True, eq=False)
class Model:
    """A network built from layers: Keras Sequential or functional, ``nn.Sequential``, or a subclass's instance."""

    framework: str
    style: str  # sequential | functional | subclassed
    node: ast.AST
    layers: list[Layer] = field(default_factory=list)
    complete: bool = True  # False when layers were added that could not be followed
    inputs: list[Tensor] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)
    name: str | None = None
    attributes: dict[str, Value] = field(default_factory=dict)
    class_: ClassValue | None = None
    facts: set[str] = field(default_factory=set)
    input_shape: Shape | None = None
    born_inside: tuple[str, ...] = ()  # what enclosed its making: layers added deeper inside come only sometimes
    compiled: list[Operation] = field(default_factory=list)
    fitted: list[Operation] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Optimizer:
    """An optimizer with its arguments; ``parameters`` is what it was given to train."""

    framework: str
    kind: str
    arguments: dict[str, Value]
    node: ast.Call
    parameters: Value = UNKNOWN

    @property
    def name(self) -> str:
        return self.kind.rsplit(".", 1)[-1]


@dataclass(slots=True, eq=False)
class Loss:
    """A loss: an object, or a name given to ``compile``."""

    framework: str
    kind: str  # the short name in one spelling: categorical_crossentropy, CrossEntropyLoss …
    arguments: dict[str, Value]
    node: ast.expr


@dataclass(slots=True, eq=False)
class FunctionValue:
    """A function or method of the program itself."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: Any
    receiver: Value | None = None


@dataclass(slots=True, eq=False)
class ClassValue:
    """A class of the program itself, with its methods and the qualified names of its bases."""

    node: ast.ClassDef
    bases: tuple[str, ...]
    methods: dict[str, ast.FunctionDef]
    scope: Any
    instantiated: bool = False


@dataclass(slots=True, eq=False)
class Instance:
    """An object of a class of the program that is not a network."""

    class_: ClassValue | None
    attributes: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reference:
    """A name of a library, by its canonical qualified name."""

    name: str


@dataclass(frozen=True, slots=True)
class BoundMethod:
    """A method taken from a value: ``x.view``, ``model.fit``, ``optimizer.step``."""

    receiver: Value
    method: str


@dataclass(slots=True, eq=False)
class Other:
    """An object of a library that rules care about: data loaders, schedulers, scalers, callbacks …"""

    kind: str
    arguments: dict[str, Value]
    node: ast.AST


@dataclass(slots=True, eq=False)
class Operation:
    """One call (or arithmetic operator) as it was evaluated.

    ``name`` is canonical: ``torch.log``, ``keras.layers.Dense``, ``Tensor.view``, ``Model.fit``, ``Optimizer.step``;
    a method of something unknown is ``?.backward``. ``inside`` lists what encloses it, outermost first: ``loop``
    (walked once), ``round`` (of an unrolled loop), ``no_grad``, ``function:train``, ``class:Net``, ``branch``.
    """

    name: str
    node: ast.expr
    positional: list[Value]
    keywords: dict[str, Value]
    inside: tuple[str, ...] = ()
    receiver: Value = UNKNOWN
    result: Value = UNKNOWN
    starred: bool = False  # *args or **kwargs were passed: arguments may be there that are not seen

    def argument(self, position: int, name: str | None = None) -> Value:
        """An argument by keyword or position; UNKNOWN when it was not given or not followed."""
        if name is not None and name in self.keywords:
            return self.keywords[name]
        return self.positional[position] if 0 <= position < len(self.positional) else UNKNOWN

    def given(self, position: int, name: str | None = None) -> bool:
        """Whether an argument was written at all."""
        return (name is not None and name in self.keywords) or 0 <= position < len(self.positional)

    def number(self, position: int, name: str | None = None) -> float | None:
        return number_of(self.argument(position, name))

    def text(self, position: int, name: str | None = None) -> str | None:
        return text_of(self.argument(position, name))

    def is_none(self, position: int, name: str | None = None) -> bool:
        value = self.argument(position, name)
        return isinstance(value, Constant) and value.value is None


Value = (
    Unknown
    | Constant
    | Items
    | TableValue
    | Tensor
    | Layer
    | Model
    | Optimizer
    | Loss
    | FunctionValue
    | ClassValue
    | Instance
    | Reference
    | BoundMethod
    | Other
)


def number_of(value: Value) -> float | None:
    """A known number that is not too large to be followed, else None; truth values are not numbers here."""
    if isinstance(value, Constant) and is_number(value.value):
        number: float = value.value
        return number
    return None


def is_number(value: object) -> bool:
    """Whether a Python object is a number that may be computed with; truth values are not."""
    if isinstance(value, int):
        return not isinstance(value, bool) and -LARGEST < value < LARGEST
    return isinstance(value, float)


def integer_of(value: Value) -> int | None:
    """A known integer, else None."""
    number = number_of(value)
    return number if isinstance(number, int) else None


def text_of(value: Value) -> str | None:
    return value.value if isinstance(value, Constant) and isinstance(value.value, str) else None


def truth_of(value: Value) -> bool | None:
    """True, False, or None when it is not known."""
    if isinstance(value, Constant):
        return bool(value.value)
    return None


def integers_of(value: Value) -> tuple[Dim, ...] | None:
    """A sequence as dimensions: known integers as they are, None for the others; None for any other value."""
    if isinstance(value, Items) and value.complete:
        return tuple(_dimension(item) for item in value.items)
    if isinstance(value, Constant) and isinstance(value.value, tuple):
        return tuple(_bounded(item) if isinstance(item, int) else None for item in value.value)
    return None


def _bounded(dim: Dim) -> Dim:
    return dim if not isinstance(dim, int) or -LARGEST < dim < LARGEST else None


def _dimension(value: Value) -> Dim:
    if isinstance(value, Other) and value.kind == "dimension":
        return text_of(value.arguments["name"])
    return integer_of(value)


def dimension_value(dim: Dim) -> Value:
    """A dimension as a value of the program: ``x.shape[0]`` may be a name such as "batch"."""
    if isinstance(dim, str):
        return Other("dimension", {"name": Constant(dim)}, ast.Constant(dim))
    return UNKNOWN if dim is None else Constant(dim)


def is_plain(value: Any) -> bool:
    """Whether a constant can be the key of a table."""
    return isinstance(value, (str, int, float, bool, type(None), bytes))
