"""Standard streams that outlive their reader and write any character."""

from __future__ import annotations

import io
import os
import sys


class PatientStream(io.TextIOWrapper):
    """Goes on in silence when nobody reads any more (``bugloss list | head -1``): the work is done all the same."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            self.go_silent()
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except BrokenPipeError:
            self.go_silent()
            super().flush()

    def go_silent(self) -> None:
        """What is still to be written goes nowhere."""
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, self.fileno())
        os.close(silence)


def make_streams_patient() -> None:
    """Puts both standard streams in such wrappers; one that the caller closed leads nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or io.TextIOWrapper(io.FileIO(os.devnull, "w"), "utf-8")
        if isinstance(stream, io.TextIOWrapper):
            encoding, lines, through = stream.encoding, stream.line_buffering, stream.write_through
            patient = PatientStream(
                stream.detach(), encoding, "backslashreplace", line_buffering=lines, write_through=through
            )
            setattr(sys, name, patient)


def flush_output() -> str | None:
    """Writes what is still to be written; where that cannot be done (a full disk) the reason comes back."""
    try:
        sys.stdout.flush()
    except OSError as error:
        if isinstance(sys.stdout, PatientStream):
            sys.stdout.go_silent()
        return error.strerror or str(error)
    return None
