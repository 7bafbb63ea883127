"""What the tests of foreign files share: files that must not be read, and the sentence that refuses them."""

from __future__ import annotations

import json
import resource
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from command_line import CommandLine, Done

CANARY = "canary7f3a"
KEY = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{CANARY}\n-----END OPENSSH PRIVATE KEY-----\n"


OLD_NUMPY = "import numpy as np\nx = np.float(3)\n"  # --fix changes it


_BYTES, _SECONDS = 2_500_000_000, 60


def guarded(here: CommandLine, *arguments: str) -> Done:
    """A command that can neither take the machine's memory nor wait for ever, should it try to."""
    with bounds():
        return here.inside(*arguments)


@contextmanager
def bounds() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_AS)
    handler = signal.signal(signal.SIGALRM, _too_late)
    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + _BYTES, before[1]))
    signal.setitimer(signal.ITIMER_REAL, _SECONDS, 1)  # again and again: a broad except may swallow the first
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, before)


def _address_space() -> int:
    """Bytes that the process of the tests has reserved already: libraries of other tests reserve gigabytes."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _too_late(number: int, frame: object) -> None:
    raise AssertionError("the command waits for something")


def one_sentence(done: Done) -> str:
    """What a command said that was refused."""
    assert done.code == 2, (done.code, done.out, done.err)
    said = [line for line in done.err.splitlines() if line.startswith("bugloss: ")]
    assert len(said) == 1, done.err
    assert CANARY not in done.err + done.out
    return said[0]


def assert_clean(folder: Path, *outputs: Done) -> None:
    """No canary in what was said, nor in any file that is not the user's own."""
    for done in outputs:
        assert CANARY not in done.out + done.err, done
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 10**7:
            assert CANARY.encode() not in path.read_bytes(), path


def sparse(path: Path) -> Path:
    with path.open("wb") as file:
        file.truncate(10**10)
    return path


def crash(path: str, line: int = 2) -> dict[str, Any]:
    """A crash that bugloss knows a cause for, in a frame of that file."""
    frame = {"path": path, "line": line, "function": "forward", "text": ""}
    message = "mat1 and mat2 shapes cannot be multiplied (32x10 and 20x5)"
    raised = {"kind": "RuntimeError", "qualified": "builtins.RuntimeError", "message": message, "bases": ["Exception"]}
    return {"event": "crash", "exception": {**raised, "frames": [frame]}, "operands": [], "layer": "", "step": 0}


def recorded(project: Path, *events: Mapping[str, Any], **facts: object) -> Path:
    """A recorded run in a project, as somebody may have written it by hand."""
    folder = project / ".bugloss" / "runs" / "20260101-000000"
    folder.mkdir(parents=True)
    known = {"script": "train.py", "folder": str(project), "outcome": "crashed", "exit_code": 1, **facts}
    (folder / "run.json").write_text(json.dumps(known))
    (folder / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    return folder
