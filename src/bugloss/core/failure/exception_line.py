"""Lines that name an exception: ``torch.cuda.OutOfMemoryError: CUDA out of memory``."""

from __future__ import annotations

import re
from typing import NamedTuple

# A class that its name gives away as an exception, for expressions that search running text.
NAME = (
    r"(?:[A-Za-z_]\w{0,60}\.){0,8}"
    r"(?:_{0,2}[A-Z]\w{0,60}(?:Error|Exception|Interrupt|Exit|Warning|StopIteration|Fault)|StopIteration"
    r"|(?<=\.)(?:Error|error))"
)
# Right below the frames of a traceback any class counts. Ray writes the class that it passes on in brackets.
_BELOW_FRAMES = re.compile(
    r"^(?!(?:else|try|finally):)(?P<qualified>(?:[A-Za-z_]\w*\.)*(?:_*[A-Z]\w*(?=\(\w+\):|:|$)|[a-z]\w*(?=:)))"
    r"(?:\(\w+\))?(?:: ?(?P<message>.*))?$"
)
_BEGINS = re.compile(rf"^\W{{0,6}}(?P<qualified>{NAME})(?:\(\w+\))?(?::[ \t]*(?P<message>.*))?$")
_MENTIONS = re.compile(rf"^(?P<prefix>.*?)(?<![\w.])(?P<qualified>{NAME})\b(?:: ?(?P<message>.*))?$")


class NamedException(NamedTuple):
    """An exception as one line names it."""

    qualified: str
    message: str

    @property
    def kind(self) -> str:
        """The class without its module."""
        return self.qualified.rsplit(".", 1)[-1]


def below_frames(line: str) -> NamedException | None:
    """The exception of the line that ends a traceback, whatever its class is called."""
    return _named(_BELOW_FRAMES.match(line))


def begins_with_exception(line: str) -> NamedException | None:
    """The exception that a line begins with, but for marks of a quotation or a test runner."""
    return _named(_BEGINS.match(line))


def ends_with_exception(line: str) -> NamedException | None:
    """The exception with whose message, or with whose bare name, a line ends."""
    match = _MENTIONS.match(line)
    return _named(match) if match and (match["message"] or not match["prefix"].strip()) else None


def _named(match: re.Match[str] | None) -> NamedException | None:
    return NamedException(match["qualified"], match["message"] or "") if match else None
