"""The command line as its users start it: a process of its own, and what it left behind."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bugloss.show.cli.main import main


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output; anything beside it there is a failure."""
        return parse_document(self.out)


def parse_document(text: str) -> Any:
    """Exactly one JSON document, without the constants that JSON does not know."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    document = json.loads(text, parse_constant=refuse)
    assert document["schema"].startswith("bugloss.")
    assert document["schema"].endswith("/1")
    return document


class CommandLine:
    """Starts ``python -m bugloss`` in a folder, with a few variables of its own."""

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        self.folder = folder
        self.variables = {**os.environ, **variables}
        self.variables.pop("PYTHONDONTWRITEBYTECODE", None)

    def __call__(self, *arguments: str | bytes, **variables: str) -> Done:
        """Runs one command to its end; a traceback of ours anywhere in its output is a failure."""
        command = [sys.executable, "-m", "bugloss", *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env={**self.variables, **variables}, capture_output=True, timeout=120, check=False
        )
        return self._examined(done.returncode, done.stdout, done.stderr)

    def inside(self, *arguments: str, **variables: str) -> Done:
        """The same in this process: quicker, for what comes after the command that a test is about."""
        before, place = dict(os.environ), Path.cwd()
        out, err = io.StringIO(), io.StringIO()
        os.environ.clear()
        os.environ.update({**self.variables, **variables})
        os.chdir(self.folder)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = main(list(arguments))
        finally:
            os.chdir(place)
            os.environ.clear()
            os.environ.update(before)
        texts = (text.getvalue().encode(errors="backslashreplace") for text in (out, err))  # as the real streams do
        return self._examined(code, *texts)

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[bytes]:
        """Starts a command in a process group of its own, as a shell does."""
        return subprocess.Popen(
            [sys.executable, "-m", "bugloss", *arguments],
            cwd=self.folder, env={**self.variables, **variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            process_group=0, preexec_fn=_listen_to_interruptions,  # noqa: PLW1509
        )  # fmt: skip

    def interrupt(self, process: subprocess.Popen[bytes], when: Callable[[], bool]) -> Done:
        """Presses Ctrl-C once something has happened: the whole process group gets the signal."""
        deadline = time.monotonic() + 60
        while not when() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        assert process.poll() is None, f"it ended before it was interrupted: {process.communicate()}"
        os.killpg(process.pid, signal.SIGINT)
        return self.finish(process)

    def finish(self, process: subprocess.Popen[bytes]) -> Done:
        """Waits for a started command."""
        out, err = process.communicate(timeout=60)
        return self._examined(process.returncode, out, err)

    @staticmethod
    def _examined(code: int, out: bytes, err: bytes) -> Done:
        done = Done(code, out.decode(errors="replace"), err.decode(errors="replace"))
        # Lines after a bar are the subject program's own output, which --json passes on.
        ours = "\n".join(line for line in done.err.splitlines() if not line.startswith("│"))
        assert "Traceback" not in ours, done.err
        # Results may show the traceback of a report or of a subject program; never one through our own files.
        assert not re.search(r'File \\*"[^"]*/bugloss/(?:core|corpus|record|run|show|verify|workflows)/', done.out), (
            done.out
        )
        return done


def _listen_to_interruptions() -> None:
    """A suite that a shell started in the background inherits a deaf ear for Ctrl-C; the command must not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
