"""Follows a program that runs: shows what it prints, how far its training is, and the first loss that is NaN."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import TracebackType

from bugloss.run.listener import Listener
from bugloss.show.cli.printed_lines import PrintedLines
from bugloss.show.cli.progress import TrainingProgress
from bugloss.show.cli.status_bar import StatusBar
from bugloss.show.cli.terminal import coloured
from bugloss.show.own_codes import styled
from bugloss.show.page.figures import seconds

_PAUSE = 0.2
_REMINDER = 30.0  # seconds between lines where no terminal shows them at once


class LiveView:
    """A context manager; what it hears is queued by whoever reads the program, and shown by a thread of its own."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.progress = TrainingProgress()
        self.listener = Listener(self._queue("output"), self._queue("event"))
        self.notify: Callable[[str], None] = lambda text: self._heard.put(("note", text.encode()))
        self._heard: SimpleQueue[tuple[str, bytes]] = SimpleQueue()
        self._printed = PrintedLines()
        self._bar = StatusBar()
        self._note = ""
        self._begun = self._reminded = time.monotonic()
        self._alarmed = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._show_until_over, daemon=True)

    def _queue(self, kind: str) -> Callable[[bytes], None]:
        return lambda part: self._heard.put((kind, part))

    def __enter__(self) -> LiveView:
        if not self.quiet:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if not self.quiet:
            self._thread.join()
            self.take()
            for line in self._printed.rest():
                self._print_own(line)
            self._bar.close()

    def _show_until_over(self) -> None:
        while not self._over.wait(_PAUSE):
            self.take()
            self._bar.show(self.status())
            self._remind()

    def take(self) -> None:
        """Shows all that was heard since."""
        while True:
            try:
                kind, part = self._heard.get_nowait()
            except Empty:
                return
            if kind == "output":
                for line in self._printed.take(part):
                    self._print_own(line)
            elif kind == "event":
                self._take_event(part)
            else:
                self._take_note(part.decode())

    def status(self) -> str:
        """What is done, how far it is, and since when."""
        taken = seconds(time.monotonic() - self._begun)
        note = self._note.split(" (")[0] or "running"
        return " · ".join(part for part in (f"bugloss: {note}", taken, self.progress.words()) if part)

    def _take_event(self, line: bytes) -> None:
        self.progress.take(line)
        if self.progress.alarm and not self._alarmed:
            self._alarmed = True
            self._print(self._painted(f"bugloss: {self.progress.alarm}", "1;31"))

    def _take_note(self, note: str) -> None:
        self._note, self.progress = note, TrainingProgress()
        self._begun = time.monotonic()
        if not sys.stderr.isatty():
            self._print(note)

    def _remind(self) -> None:
        """In a log, how far a long training is."""
        now = time.monotonic()
        if not sys.stderr.isatty() and self.progress.words() and now - self._reminded >= _REMINDER:
            self._reminded = now
            self._print(self.status())

    def _print_own(self, line: str) -> None:
        """A line of the program, set off from ours."""
        self._print(f"{self._painted('│', '2')} {line}".rstrip())

    def _print(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    def _painted(self, text: str, code: str) -> str:
        return styled(text, code) if coloured(sys.stderr) else text
