"""One job as a process: ``bugloss VERB --json`` in a folder of its own, ended when asked or when its time is over.

The process watches a pipe from the server (``worker.py``) and ends when the server is gone, however that happened.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from bugloss.core.written_file import write_inside

_MOST_OUTPUT = 64_000_000  # bytes of a document; a diagnosis of a long training has some 5 MB
_MOST_LINES = 2_000  # of progress that wait to be stored
_GRACE_SECONDS = 5.0  # to clean up after SIGTERM, before SIGKILL
_PASSED_ON = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "USER", "LOGNAME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"),
    *("BUGLOSS_CACHE", "SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy", "https_proxy", "no_proxy"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "VIRTUAL_ENV", "PIP_CONFIG_FILE", "PIP_INDEX_URL"),
)

JobFiles = Mapping[str, str | bytes]


class JobProcess:
    """A verb that runs. Lines of standard error are progress, standard output is its document."""

    def __init__(self, command: Sequence[str], folder: Path, files: JobFiles, corpus: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            write_inside(folder, name, text)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "bugloss.show.api.jobs.worker", *command],
            cwd=folder,
            env=job_variables(corpus),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._document = bytearray()
        self._lines: list[str] = []
        self._lock = threading.Lock()
        self._readers = [
            threading.Thread(target=self._read_document, daemon=True),
            threading.Thread(target=self._read_lines, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def wait(self, seconds: float) -> int | None:
        """The exit code, if the process ends within that time."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    def new_lines(self) -> list[str]:
        """What it said since the last call."""
        with self._lock:
            lines, self._lines = self._lines, []
        return lines

    def document(self) -> str:
        """What it wrote to standard output, once it has ended."""
        for reader in self._readers:
            reader.join(_GRACE_SECONDS)
        return bytes(self._document).decode(errors="replace")

    def stop(self) -> None:
        """Ends the process and all that it started: politely, so that it cleans up, then at once."""
        self._signal(signal.SIGTERM)
        if self.wait(_GRACE_SECONDS) is None:
            self._signal(signal.SIGKILL)
            self._process.wait()
        self._signal(signal.SIGKILL)  # whatever is left of its group
        self.close()

    def close(self) -> None:
        """Releases the pipes of a process that has ended."""
        for reader in self._readers:
            reader.join(_GRACE_SECONDS)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _read_document(self) -> None:
        assert self._process.stdout is not None
        for block in _blocks(self._process.stdout):
            if len(self._document) + len(block) <= _MOST_OUTPUT:
                self._document += block

    def _read_lines(self) -> None:
        assert self._process.stderr is not None
        rest = b""
        for block in _blocks(self._process.stderr):
            *lines, rest = (rest + block).replace(b"\r", b"\n").split(b"\n")
            rest = rest[-10_000:]
            self._keep(lines)
        self._keep([rest])

    def _keep(self, lines: Sequence[bytes]) -> None:
        said = [text for line in lines if (text := line.decode(errors="replace").rstrip())]
        with self._lock:
            self._lines = [*self._lines, *said][-_MOST_LINES:]


def _blocks(pipe: IO[bytes]) -> Iterator[bytes]:
    """Whatever a pipe has, as soon as it has it."""
    with suppress(OSError, ValueError):
        while block := os.read(pipe.fileno(), 65_536):
            yield block


def job_variables(corpus: Path) -> dict[str, str]:
    """What a job's process gets: the server's corpus, and no secret of the server's environment."""
    kept = {name: value for name in _PASSED_ON if (value := os.environ.get(name)) is not None}
    own = {"BUGLOSS_BUGS": str(corpus), "BUGLOSS_ISOLATION": "bubblewrap", "BUGLOSS_PROGRESS": "1"}
    return {**kept, **own, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"}
