"""A failure: an exception with what it really says, and where a text shows it."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.core.failure.essence import Essence, essence
from bugloss.core.failure.frames import is_users
from bugloss.core.raised import Frame, RaisedException


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception, unwrapped. ``start`` and ``end`` are its place in the text that it was read from."""

    exception: RaisedException
    essence: Essence
    start: int = 0
    end: int = 0
    superseded: bool = False  # another one follows in the same text: this one was handled, or led to it

    @classmethod
    def of(cls, exception: RaisedException, start: int = 0, end: int = 0) -> Failure:
        """The failure that an exception is."""
        return cls(exception, essence(exception.message), start, end)

    @property
    def kind(self) -> str:
        """The class of the exception, of the one inside where the one outside only passes it on; may be empty."""
        return self.essence.kind or self.exception.kind

    @property
    def text(self) -> str:
        """The telling sentence."""
        return self.essence.text

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The call stack, outermost first, then what the message itself lists: those frames are nearer to the fault."""
        return (*self.exception.frames, *self.essence.frames)

    @property
    def own_frames(self) -> tuple[Frame, ...]:
        """The frames of the user's own program."""
        return tuple(frame for frame in self.frames if is_users(frame))

    @property
    def library_frames(self) -> tuple[Frame, ...]:
        """The frames of libraries, the standard library and generated code."""
        return tuple(frame for frame in self.frames if not is_users(frame))
