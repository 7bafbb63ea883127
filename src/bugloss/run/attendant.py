"""A thread that stays with a running program: it reads what the program prints and looks after its limits."""

from __future__ import annotations

import os
import selectors
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO

from bugloss.run.sandbox import Excess, LimitWatch
from bugloss.run.streams import HeadAndTail

_PART = 2**16


class Attendant(threading.Thread):
    """Reads the streams until they end or ``leave`` is called; calls ``stop`` when a limit is reached."""

    def __init__(self, streams: Mapping[IO[bytes], HeadAndTail], watch: LimitWatch, stop: Callable[[], None]) -> None:
        super().__init__(name="attendant", daemon=True)
        self.excess: Excess | None = None
        self._streams = streams
        self._watch = watch
        self._stop_program = stop
        self._woken, self._bell = os.pipe()

    def leave(self) -> Excess | None:
        """Takes what is still in the pipes, and ends; says which limit was reached."""
        os.write(self._bell, b".")
        self.join()
        for handle in (self._woken, self._bell):
            os.close(handle)
        for stream in self._streams:
            stream.close()
        return self.excess or self._watch.last_look()

    def run(self) -> None:
        due = time.monotonic() + self._watch.pause
        with selectors.DefaultSelector() as selector:
            selector.register(self._woken, selectors.EVENT_READ)
            for stream, excerpt in self._streams.items():
                os.set_blocking(stream.fileno(), False)
                selector.register(stream, selectors.EVENT_READ, excerpt)
            while not self._attend(selector, max(0.0, due - time.monotonic())):
                if time.monotonic() >= due:
                    if self.excess is None:
                        self._report(self._watch.look())
                    due = time.monotonic() + self._watch.pause
            self._read_what_is_left(selector)

    def _attend(self, selector: selectors.BaseSelector, seconds: float) -> bool:
        """One wait for output; whether it was the bell."""
        leaving = False
        for key, _ in selector.select(seconds):
            if key.data is None:
                leaving = True
            elif not self._read(key.fd, key.data):
                selector.unregister(key.fileobj)
        return leaving

    def _read_what_is_left(self, selector: selectors.BaseSelector) -> None:
        for key in list(selector.get_map().values()):
            while key.data is not None and self.excess is None and self._read(key.fd, key.data, waits=False):
                pass

    def _read(self, handle: int, excerpt: HeadAndTail, *, waits: bool = True) -> bool:
        """Takes a part of a stream; False at its end."""
        try:
            part = os.read(handle, _PART)
        except BlockingIOError:
            return waits
        except OSError:
            return False
        if self.excess is None:
            excerpt.add(part)
            most = self._watch.limits.output_megabytes
            if sum(one.octets for one in self._streams.values()) > most * 2**20:
                self._report(Excess(f"it printed more than {most} MB"))
        return bool(part)

    def _report(self, excess: Excess | None) -> None:
        if excess is not None:
            self.excess = excess
            with suppress(OSError):
                self._stop_program()
