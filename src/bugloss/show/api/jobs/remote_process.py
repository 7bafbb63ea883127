"""One job on a worker of a dask cluster: its process runs there, its lines and its files come back.

The worker needs bugloss itself, bubblewrap, and the corpus of the server or its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import read_bytes
from bugloss.core.foreign_folder import content_of
from bugloss.core.written_file import write_inside
from bugloss.corpus.roots import shipped_root
from bugloss.show.api.jobs.process import JobFiles, JobProcess
from bugloss.workflows.engine.calls import RemoteCall, RemoteCalls

_LOOK_SECONDS = 0.3
_MOST_BYTES = 100_000_000  # of the files that come back; a case has some 0.2 MB, a long recording some 10 MB
_STOPPED = -15  # the exit code of a process that was not wanted any more


@dataclass(frozen=True, slots=True)
class EndedJob:
    """How a process ended on its worker, what it wrote to standard output, and the files of its folder."""

    code: int
    document: str
    files: Mapping[str, bytes] = field(repr=False)


def run_on_worker(
    say: Callable[[Sequence[str]], None],
    is_wanted: Callable[[], bool],
    command: Sequence[str],
    files: JobFiles,
    corpus: str,
) -> EndedJob:
    """The life of a job on a worker, in a folder that is gone afterwards."""
    known = Path(corpus) if Path(corpus, "corpus.toml").is_file() else shipped_root()
    with tempfile.TemporaryDirectory(prefix="bugloss-job-") as folder:
        process = JobProcess(command, Path(folder), files, known)
        try:
            while (code := process.wait(_LOOK_SECONDS)) is None and is_wanted():
                if lines := process.new_lines():
                    say(lines)
            document = process.document() if code is not None else ""
            say(process.new_lines())
        finally:
            process.stop()
        found = _files_of(Path(folder)) if code is not None else {}
        return EndedJob(_STOPPED if code is None else code, document, found)


def _files_of(folder: Path) -> dict[str, bytes]:
    """The plain files below a folder, as many as may be sent; one that changes while it is read is left out."""
    found: dict[str, bytes] = {}
    for name in content_of(folder, most_bytes=_MOST_BYTES).names:
        with suppress(FileRefused):
            found[name] = read_bytes(folder, name, _MOST_BYTES)
    return found


class RemoteProcess:
    """A job that runs on a worker, with the interface of ``JobProcess``."""

    def __init__(self, calls: RemoteCalls, command: Sequence[str], folder: Path, files: JobFiles, corpus: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._ended: EndedJob | None = None
        self._call: RemoteCall[EndedJob] = calls.start(
            run_on_worker, tuple(command), dict(files), str(corpus.absolute())
        )

    def wait(self, seconds: float) -> int | None:
        """The exit code, if the process ends within that time; its files are in the job's folder then."""
        if self._ended is None and self._call.wait(seconds):
            self._ended = self._call.result()
            for name, content in self._ended.files.items():
                write_inside(self._folder, name, content)
        return None if self._ended is None else self._ended.code

    def new_lines(self) -> list[str]:
        """What it said since the last call."""
        return self._call.new_lines()

    def document(self) -> str:
        """What it wrote to standard output, once it has ended."""
        return "" if self._ended is None else self._ended.document

    def stop(self) -> None:
        """Takes the job back from its worker, which ends the process."""
        self._call.end()
