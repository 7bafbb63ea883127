"""Axes of tensors: one is added, taken away or moved where a value is used or where it was made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import after
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash_event import Operand
from bugloss.repair.typed_edits.clash import broadcasts, clashing, products, rank_wanted, shapes_in
from bugloss.repair.typed_edits.contract import TypedEdit, places
from bugloss.source.text.module import SourceModule

_AGREES, _FITS, _GUESS = 0.3, 0.26, 0.05
# Words about tensors that are to have the same shape, or one that can be repeated to it.
_TOGETHER = re.compile(r"match|broadcast|same|[Ii]ncompatible|equal|target|non-singleton")
_MOST = 14
_WARNING = "the shape fits; whether the axes mean the same is not known"
_MOST_AXES = 5

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of axes: what is written behind the value, and the shape that it has then."""

    suffix: str
    shape: Shape
    plain: float = 1.0  # how usual it is


def axis_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Changes of the tensors on the lines of the call stack, the ones that make shapes agree first."""
    found: list[TypedEdit] = []
    for place in places(scene, file):
        tensors = list(place.tensors())
        for node, operand in tensors:
            others = [other.shape for _, other in tensors if other is not operand and other.shape]
            for change in changes(operand.shape, is_torch=_is_torch(place.module, operand)):
                sure = _likelihood(scene, operand.shape, change, others) * place.near * change.plain
                reason = f"{operand.name} has shape {operand.shape} in line {place.statement.lineno}."
                edit = after(place.module, node, change.suffix)
                found.append(TypedEdit(edit, FixPattern.DATA_DIMENSION, sure, reason, (_WARNING,)))
    yield from sorted(found, key=lambda one: -one.likelihood)[:_MOST]


def _is_torch(module: SourceModule, operand: Operand) -> bool:
    return "torch" in module.names.roots and -1 not in operand.shape


def changes(shape: Shape, *, is_torch: bool) -> Iterator[_Change]:
    """What keeps every number: axes more, less, or in another order; then what takes one step or joins axes."""
    axes = len(shape)
    if not shape or axes > _MOST_AXES:
        return
    yield from _Torch(shape).changes() if is_torch else _Sliced(shape).changes()


@dataclass(frozen=True, slots=True)
class _Torch:
    shape: Shape

    def changes(self) -> Iterator[_Change]:
        shape, axes = self.shape, len(self.shape)
        for axis in (1, 0):
            yield _Change(f".unsqueeze({axis})", (*shape[:axis], 1, *shape[axis:]))
        if axes > 1:
            yield _Change(".unsqueeze(-1)", (*shape, 1))
        for axis in range(axes - 1, -1, -1):
            if shape[axis] == 1:
                name = -1 if axis == axes - 1 else axis
                yield _Change(f".squeeze({name})", (*shape[:axis], *shape[axis + 1 :]))
        for suffix, order in _ORDERS.get(axes, ()):
            yield _Change(suffix, tuple(shape[at] for at in order))
        if axes > 2:
            yield _Change(".flatten(1)", (shape[0], _product(shape[1:])))
            yield _Change(".flatten(0, 1)", (shape[0] * shape[1], *shape[2:]))
            yield _Change("[:, -1]", (shape[0], *shape[2:]), 0.6)
        if axes == 4:
            yield _Change(".mean(dim=(2, 3))", shape[:2], 0.5)


@dataclass(frozen=True, slots=True)
class _Sliced:
    """What arrays of NumPy and tensors of TensorFlow both understand."""

    shape: Shape

    def changes(self) -> Iterator[_Change]:
        shape, axes = self.shape, len(self.shape)
        yield _Change("[..., None]", (*shape, 1))
        yield _Change("[None]", (1, *shape), 0.7)
        if axes > 1:
            yield _Change("[:, None]", (shape[0], 1, *shape[1:]), 0.8)
        if axes > 1 and shape[-1] == 1:
            yield _Change("[..., 0]", shape[:-1])
        if axes > 1 and shape[0] == 1:
            yield _Change("[0]", shape[1:], 0.8)
        if axes > 2:
            yield _Change("[:, -1]", (shape[0], *shape[2:]), 0.6)


_ORDERS: dict[int, tuple[tuple[str, tuple[int, ...]], ...]] = {
    2: ((".t()", (1, 0)),),
    3: ((".transpose(1, 2)", (0, 2, 1)), (".transpose(0, 1)", (1, 0, 2))),
    4: (
        (".permute(0, 3, 1, 2)", (0, 3, 1, 2)),
        (".transpose(1, 2)", (0, 2, 1, 3)),
        (".permute(0, 2, 3, 1)", (0, 2, 3, 1)),
    ),
}  # fmt: skip


def _product(sizes: Sequence[int]) -> int:
    found = 1
    for size in sizes:
        found *= size
    return found


def _likelihood(scene: Scene, shape: Shape, change: _Change, others: Sequence[Shape]) -> float:
    """Whether the new shape is what the message asks for, or goes together with the other tensors of the line."""
    wanted = rank_wanted(scene.text)
    if wanted is not None and len(change.shape) == wanted != len(shape):
        return _AGREES
    product = products(scene.text)
    if product is not None and shape[-1] == product[0][1] and change.shape[-1:] == (product[1][0],):
        return _AGREES
    shown = shapes_in(scene.text)
    if any(one == shape and other == change.shape for one in shown for other in shown if one != other):
        return _AGREES
    together = bool(_TOGETHER.search(scene.text))
    others = others if together else ()
    if any(change.shape == other != shape for other in others):
        return _AGREES
    before, after = ({other for other in others if not broadcasts(one, other)} for one in (shape, change.shape))
    if after < before:
        return _FITS
    moved = {one for one, other in zip(change.shape, shape, strict=False) if one != other}
    if not together and len(change.shape) == len(shape) and any(one in moved for _, one in clashing(scene.text)):
        return _FITS
    return _GUESS
