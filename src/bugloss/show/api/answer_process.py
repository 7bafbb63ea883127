"""The process that answers quick questions: one line of JSON in, the verb's exit code and document out."""

from __future__ import annotations

import io
import json
import os
import resource
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from bugloss.core.documents import parse_json
from bugloss.core.written_file import write_inside

_MEMORY = 4 * 2**30
_BEFORE = ("bugloss.workflows.checking", "bugloss.workflows.triage", "bugloss.workflows.lookup", "bugloss.show.cli.app")


def main() -> None:
    """Answers until standard input is closed: until the server ends."""
    from importlib import import_module

    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    for name in _BEFORE:
        import_module(name)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for line in sys.stdin:
        request = parse_json(line)
        code, text = _answer(request["words"], request["files"])
        answers.write(json.dumps([code, text]) + "\n")
        answers.flush()


def _answer(words: list[str], files: dict[str, str]) -> tuple[int, str]:
    from bugloss.show.cli.main import main as command_line

    said = io.StringIO()
    with tempfile.TemporaryDirectory(prefix="bugloss-answer-") as folder:
        for name, text in files.items():
            write_inside(Path(folder), name, text.encode(errors="replace"))
        before = Path.cwd()
        os.chdir(folder)
        try:
            with redirect_stdout(said):
                code = command_line(words)
        finally:
            os.chdir(before)
    return code, said.getvalue()


if __name__ == "__main__":
    main()
