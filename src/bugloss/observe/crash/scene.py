"""A crash with everything around it: the telling sentence, the user's line, and the tensors that lived there."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING

from bugloss.core.failure.essence import essence
from bugloss.core.failure.frames import is_users, users
from bugloss.core.raised import Frame, RaisedException
from bugloss.observe.crash_event import Crash, Operand

if TYPE_CHECKING:
    from bugloss.observe.crash.crashed_file import CrashedFile, Made

Source = Callable[[str], str | None]
Signature = Callable[[str], Sequence[str]]  # the parameters of a function of a library, by its qualified name
_DEEPEST = 5  # folders of a project that are tried


@dataclass(frozen=True)
class Scene:
    """What a story can draw on. ``place`` is the innermost line of the user's own program."""

    exception: RaisedException
    text: str
    kind: str
    layer: str = ""
    frames: tuple[Frame, ...] = ()
    place: Frame | None = None
    raised_at: Frame | None = None  # where it was raised, if ``place`` is known from the message instead
    operands: tuple[Operand, ...] = ()
    passed: tuple[Operand, ...] = ()  # of the frames of libraries: what the program's calls were given
    step: int = 0  # of the training, before it crashed
    source: Source = field(default=lambda path: None)
    signature: Signature = field(default=lambda name: ())

    def raised(self, name: str) -> bool:
        """Whether the exception, or the one that it passes on, has that class or inherits from it."""
        return self.kind == name or self.exception.is_a(name)

    def went_through(self, *functions: str) -> bool:
        """Whether one of these functions was on the call stack."""
        return any(frame.function.rsplit(".", 1)[-1] in functions for frame in self.frames)

    @cached_property
    def program(self) -> CrashedFile | None:
        """The user's file that crashed, where it can be read."""
        if self.place is None or self.source(self.place.path) is None:
            return None
        # Parsing is only needed where there is a source.
        from bugloss.observe.crash.crashed_file import CrashedFile
        from bugloss.source.project import Project

        stack = [_as_source_knows(frame, self.source) for frame in users(self.frames)]
        project = Project(self.source, [frame.path for frame in stack])
        module = project.module(self.place.path)
        lines = [(frame.path, frame.line) for frame in stack]
        return None if module is None else CrashedFile(project, module, lines)

    @cached_property
    def values(self) -> tuple[Operand, ...]:
        """The operands, and what else is known of the expressions of the crashing line, under their text."""
        statement = self.program.module.statement(self.place.line) if self.program and self.place else None
        if statement is None or self.place is None:
            return self.operands
        # Parsing is only needed where there is a source.
        from bugloss.observe.crash.line_values import line_values

        frames = self.exception.frames
        last = max((at for at, frame in enumerate(frames) if is_users(frame)), default=len(frames))
        known = tuple(one for one in self.operands if one.line in (0, self.place.line)) or self.operands
        return (*self.operands, *line_values(statement, self.place.line, known, self.passed, frames[last + 1 :]))

    @property
    def worked_before(self) -> bool:
        """Whether the model that fails here was already trained: then it is not the model that is wrong."""
        return self.step > 0 and self.program is not None and self.program.is_called_before

    def made(self, *kinds: str, **arguments: int) -> Made | None:
        """The layer of the user's program that was made with these arguments, if exactly one line makes such a layer.

        A layer that the crashing line calls comes before one that stands elsewhere in the file.
        """
        program = self.program
        if program is None or self.place is None:
            return None
        return program.made(self.place.line, kinds, arguments, self.layer)

    def operand(self, shape: Sequence[int | None]) -> Operand | None:
        """A tensor of that shape in the user's frame; unknown axes fit anything, names in the line come first."""
        fitting = [operand for operand in self.operands if _fits(operand.shape, shape)]
        line = self.place.text if self.place else ""
        return next((operand for operand in fitting if operand.name in line), fitting[0] if fitting else None)

    def entering(self, rows: int, columns: int) -> Operand | None:
        """The tensor of the user's frame that a dense layer sees as so many rows and columns."""

        def fits(operand: Operand) -> bool:
            *front, last = operand.shape or (0,)
            return last == columns and math.prod(front) == rows and len(operand.shape) > 0

        line = self.place.text if self.place else ""
        fitting = sorted(filter(fits, self.operands), key=lambda one: (one.name not in line, -len(one.shape)))
        return fitting[0] if fitting else None

    def flattened(self, rows: int, columns: int, takes: int) -> bool:
        """Whether a dense layer that takes so many features would fit, were its input flattened."""
        operand = self.entering(rows, columns)
        if operand is not None:
            return len(operand.shape) > 2 and math.prod(operand.shape[1:]) == takes
        return columns**2 <= takes and takes % columns == 0 and rows % (takes // columns) == 0

    def name_of(self, shape: Sequence[int | None]) -> str:
        """The name of a tensor of that shape, or nothing."""
        operand = self.operand(shape)
        return operand.name if operand else ""


def _fits(shape: Sequence[int], wanted: Sequence[int | None]) -> bool:
    return len(shape) == len(wanted) and all(
        want is None or size == want for size, want in zip(shape, wanted, strict=True)
    )


def look_at(crash: Crash, source: Source) -> Scene:
    """The scene of a crash."""
    read = essence(crash.exception.message)
    frames = (*crash.exception.frames, *read.frames)
    # Frames inside a message are nearer to the fault: the worker that failed, the line that made the operation.
    raised = users(crash.exception.frames)
    own = users(read.frames) or raised
    known = {PurePath(frame.path).name for frame in raised}
    place = _as_source_knows(own[-1], source, known) if own else None
    raised_at = _as_source_knows(raised[-1], source) if raised and own != raised else None
    return Scene(
        exception=crash.exception,
        text=read.text,
        kind=read.kind or crash.exception.kind,
        layer=crash.layer or read.layer,
        frames=frames,
        place=place,
        raised_at=raised_at if raised_at != place else None,
        operands=_of_user(crash.operands, own[-1] if own else None),
        passed=tuple(one for one in crash.operands if one.path and not is_users(Frame(one.path, one.line, ""))),
        step=crash.step,
        source=source,
    )


def _as_source_knows(frame: Frame, source: Source, known: Collection[str] = ()) -> Frame:
    """The frame under the shortest path that the source can read: a program may have run from another folder.

    A file of the same name is only taken for it where the line says what the traceback says. A frame of a message has
    no line with it; there the file must be one that was on the call stack, too.
    """
    parts = PurePath(frame.path).parts
    for length in range(1, min(len(parts), _DEEPEST) + 1):
        path = PurePath(*parts[-length:]).as_posix()
        lines = (source(path) or "").split("\n")
        if not 0 < frame.line <= len(lines):
            continue
        line = lines[frame.line - 1].strip()
        if line == frame.text.strip() if frame.text else path in known:
            return replace(frame, path=path, text=line)
    return frame


def _of_user(operands: Sequence[Operand], place: Frame | None) -> tuple[Operand, ...]:
    """The tensors of the user's own frames, those of the crashing line first; where there are none, all."""
    operands = [operand for operand in operands if not operand.dtype.startswith("<")]  # modules have a "dtype", too
    own = [operand for operand in operands if not operand.path or is_users(Frame(operand.path, operand.line, ""))]
    at = (place.path, place.line) if place else ("", 0)
    return tuple(sorted(own, key=lambda operand: (operand.path, operand.line) != at)) or tuple(operands)
