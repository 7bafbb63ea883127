"""Standard streams that outlive their reader and write any character."""

from __future__ import annotations

import io
import os
import sys


class PatientStream(io.TextIOWrapper):
    """Goes on in silence when nothing can be written any more: the work is done all the same.

    If the reader has closed the pipe (``bugloss list | head -1``), that is fine. Any other reason, a full disk among
    them, is kept in ``problem`` and stated once, at the end.
    """

    problem: str | None = None

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self._give_up(error)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self._give_up(error)
            super().flush()

    def _give_up(self, error: OSError) -> None:
        if not isinstance(error, BrokenPipeError):
            self.problem = self.problem or error.strerror or str(error)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, self.fileno())
        os.close(silence)


def make_streams_patient() -> None:
    """Puts both output streams in such wrappers; a stream that the caller closed leads nowhere."""
    _fill_descriptors()
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if stream is None:
            raw = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False))
            setattr(sys, name, PatientStream(raw, "utf-8", "backslashreplace"))
        elif isinstance(stream, io.TextIOWrapper):
            encoding, lines, through = stream.encoding, stream.line_buffering, stream.write_through
            patient = PatientStream(
                stream.detach(), encoding, "backslashreplace", line_buffering=lines, write_through=through
            )
            setattr(sys, name, patient)


def _fill_descriptors() -> None:
    """No file that is opened later gets the number of a closed standard stream, and with it what others write there."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def flush_output() -> str | None:
    """Writes what is still to be written; where that could not be done (a full disk) the reason comes back."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError as error:  # of a stream that is not ours
        return error.strerror or str(error)
    return getattr(sys.stdout, "problem", None)
