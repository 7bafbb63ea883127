"""How evidence leaves a sandboxed run: a socket pair whose inner end only the supervisor holds.

``probes/supervise.py`` writes numbered lines that carry a nonce; the reader here keeps as much as the limits allow
and goes on reading, so that no process waits for us and memory stays bounded. No file of the run is ever read.
"""

from __future__ import annotations

import json
import secrets
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import TypeVar

from bugloss.core.codec import decode
from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput
from bugloss.core.run import RaisedException

# An observed training leaves 210 bytes and ten separators a step: this is enough for 300,000 steps. Values are counted,
# by their separators, because one of two characters takes a hundred bytes once it is read.
MOST_BYTES = 64 * 2**20
MOST_VALUES = 3_200_000
_LONGEST_LINE = 4 * 2**20 + 1024
# Python ends with this code when the last words of standard output could not be written.
_FLUSH_FAILED = 120
# Once the program is gone the other end closes at once; a machine under load may take a moment.
_LAST_SECONDS = 10.0
# Ours are at most a few levels deep; whoever writes them down later walks through them by recursion.
_DEEPEST = 40

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class End:
    """The supervisor's last line: the true exit code or negative signal, what the program said before, its memory."""

    code: int
    said: int | None
    peak_kilobytes: int

    @property
    def is_believed(self) -> bool:
        """Whether the program came to the end that it announced."""
        return self.said is not None and self.code in {self.said, _FLUSH_FAILED}


@dataclass(frozen=True, slots=True)
class Account:
    """Everything that came over the channel of one run."""

    events: tuple[dict[str, object], ...] = ()
    exception: RaisedException | None = None
    end: End | None = None
    is_cut: bool = False

    @property
    def came_to_end(self) -> bool:
        return self.end is not None and self.end.is_believed

    @property
    def believed_exception(self) -> RaisedException | None:
        """The announced exception, unless the exit code belies it. A crash while the interpreter ends does not."""
        if self.end is None or self.end.said != 1:
            return None
        return self.exception if self.end.is_believed or self.end.code < 0 else None


@dataclass(slots=True)
class Channel:
    """One run's channel; a context manager. ``inner`` is the descriptor that the started program inherits."""

    instructions: Mapping[str, object] = field(default_factory=dict)
    heard: Callable[[bytes], None] = lambda line: None  # gets each line of evidence as it comes
    _nonce: str = field(default_factory=lambda: secrets.token_hex(16))
    _pair: tuple[socket.socket, socket.socket] = field(default_factory=socket.socketpair)
    _reader: threading.Thread | None = None
    _lines: _Lines | None = None

    def __enter__(self) -> Channel:
        self._pair[0].sendall(f"{self._nonce}\n{json.dumps(self.instructions)}\n".encode())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.account()

    @property
    def inner(self) -> int:
        return self._pair[1].fileno()

    def listen(self) -> None:
        """Begins to read; to be called once the program is started, which has the inner end then."""
        self._pair[1].close()
        self._lines = _Lines(self._nonce.encode(), self.heard)
        self._reader = threading.Thread(target=self._read, args=(self._lines,), daemon=True)
        self._reader.start()

    def account(self) -> Account:
        """What was said; to be called when the program is gone, and nothing more can be sent."""
        if self._reader is not None and self._lines is not None:
            self._reader.join(_LAST_SECONDS)
            if self._reader.is_alive():
                self._pair[0].shutdown(socket.SHUT_RDWR)
                self._reader.join()
        for end in self._pair:
            end.close()
        return self._lines.account() if self._lines is not None else Account()

    def _read(self, lines: _Lines) -> None:
        while not lines.is_closed:
            try:
                part = self._pair[0].recv(2**16)
            except OSError:
                return
            if not part:
                return
            lines.take(part)


class _Lines:
    """Puts the parts of the stream together to lines and keeps those that carry the nonce, up to the limits."""

    def __init__(self, nonce: bytes, heard: Callable[[bytes], None] = lambda line: None) -> None:
        self.is_closed = False
        self._heard = heard
        self._nonce = nonce
        self._pending = bytearray()
        self._number = 0
        self._bytes = self._values = 0
        self._is_cut = self._is_broken = False
        self._events: list[bytes] = []
        self._exception = self._end = b""

    def take(self, part: bytes) -> None:
        *lines, rest = part.split(b"\n")
        for line in lines:
            self._line(bytes(self._pending + line))
            self._pending.clear()
        self._pending += rest
        if len(self._pending) > _LONGEST_LINE:  # not the supervisor's
            self._pending.clear()

    def account(self) -> Account:
        events = (_parsed(line) for line in self._events)
        return Account(
            tuple(event for event in events if isinstance(event, dict)),
            _decoded(RaisedException, self._exception),
            None if self._is_broken else _decoded(End, self._end),
            self._is_cut,
        )

    def _line(self, line: bytes) -> None:
        nonce, _, rest = line.partition(b" ")
        if self.is_closed or nonce != self._nonce:
            return
        number, _, rest = rest.partition(b" ")
        kind, _, payload = rest.partition(b" ")
        # Lines are lost only where somebody else wrote into the stream.
        self._is_broken |= number != b"%d" % self._number
        self._number += 1
        if kind == b"closed":
            self._end, self.is_closed = payload, True
        elif kind == b"excess" or not self._fits(payload):
            self._is_cut = True
        elif kind == b"exception":
            self._exception = self._exception or payload
        else:
            self._events.append(payload)
            self._heard(payload)

    def _fits(self, payload: bytes) -> bool:
        """Counts the line in, unless the limits are reached; from then on nothing more is kept."""
        self._bytes += len(payload)
        self._values += sum(payload.count(separator) for separator in (b",", b"[", b"{"))
        return not self._is_cut and self._bytes <= MOST_BYTES and self._values <= MOST_VALUES


def _decoded(kind: type[T], line: bytes) -> T | None:
    try:
        return decode(kind, _parsed(line)) if line else None
    except InvalidInput:
        return None


def _parsed(line: bytes) -> object:
    """The value of a line; None where it does not parse: the line came from a foreign program."""
    try:
        value: object = parse_json(line)
        if b"\\ud" in line.lower() or line.count(b"[") + line.count(b"{") > _DEEPEST:
            value = _plain(value, _DEEPEST)
    except (ValueError, RecursionError):
        return None
    return value


def _plain(value: object, depth: int) -> object:
    """The same value, with half characters marked as such; one that is nested too deeply is refused."""
    if depth < 0:
        raise RecursionError
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_plain(part, depth - 1) for part in value]
    if isinstance(value, dict):
        return {str(_plain(name, depth)): _plain(part, depth - 1) for name, part in value.items()}
    return value
