"""The tools: what a client may ask for, and the verb that answers. Docstrings are what the client's model reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bugloss.core.errors import InvalidInput
from bugloss.core.written_file import write_inside
from bugloss.show.mcp.evidence import evidence_of
from bugloss.show.mcp.shortening import shorten
from bugloss.show.mcp.verb_call import Document, call_verb

_QUICK = 120.0  # seconds for verbs that run nothing


@dataclass(frozen=True, slots=True)
class ReadingTools:
    """Tools that read; files must be below ``root``, the folder that the server was started for."""

    root: Path

    async def lookup(self, traceback: str) -> Document:
        """Explain a traceback or log of a deep-learning program: cause, what to write, and similar solved bugs.

        Paste the whole traceback. Start with this when a training crashed.
        """
        return await self._ask("lookup", given=traceback)

    async def search_bugs(self, query: str, limit: int = 8) -> Document:
        """Search the corpus of verified deep-learning bugs by words in reports, labels and programs."""
        return await self._ask("search", "-k", str(limit), "--", query)

    async def get_bug(self, bug: str) -> Document:
        """Everything about one bug of the corpus, such as torch-0003: report, labels, fix, how to run it."""
        return await self._ask("info", "--", bug)

    async def check(self, path: str = "", code: str = "") -> Document:
        """Find deep-learning bugs in a Python file or folder, or in pasted code, without running it.

        Each finding has its line, an explanation, and the fix as a diff where it is known.
        """
        if code:
            return shorten(await _check_code(code))
        return await self._ask("check", "--", str(self._inside(path)))

    async def triage(self, report: str) -> Document:
        """Classify a bug report (Markdown or plain text): type, origin, missing information, questions, next edits."""
        return await self._ask("triage", "-", "--offline", given=report)

    async def localize(self, report: str, repository: str = ".", limit: int = 10) -> Document:
        """Rank the files and functions of a git repository for a bug report, with reasons."""
        folder = str(self._inside(repository))
        return await self._ask("localize", "-", "--repo", folder, "-k", str(limit), "--offline", given=report)

    async def list_runs(self) -> Document:
        """The trainings that were recorded in this folder; diagnose explains one by its name."""
        return await self._ask("runs")

    async def _ask(self, *arguments: str, given: str = "", seconds: float = _QUICK) -> Document:
        document = await call_verb(arguments, self.root, given=given, seconds=seconds)
        found = evidence_of(document, self.root)
        return shorten({**document, "evidence_files": found} if found else document)

    def _inside(self, path: str) -> Path:
        """The path from the root, so that diffs apply there; what is not below the root is refused."""
        full = (self.root / path).resolve()
        if not path or not full.is_relative_to(self.root.resolve()):
            raise InvalidInput(f"'{path}' is not below {self.root}.", hint="Start the server with --root for another.")
        return full.relative_to(self.root.resolve())


@dataclass(frozen=True, slots=True)
class RunningTools(ReadingTools):
    """Tools that run programs, always in the sandbox."""

    seconds: float = 600.0

    async def diagnose(self, script: str, arguments: list[str] | None = None, timeout: float = 300.0) -> Document:
        """Run a training script in the sandbox, observe it, and say what goes wrong, why, and on which line.

        Use it when a training ends but does not learn, or when the explanation of a crash needs recorded values.
        """
        limit = str(min(timeout, self.seconds))
        return await self._run("diagnose", "-t", limit, "--", str(self._inside(script)), *(arguments or ()))

    async def repair(self, script: str, budget: float = 120.0) -> Document:
        """Search for a patch of a training script; only patches that were run and shown to help are verified.

        The file is not changed: apply the diff of a patch whose verdict is "fixed".
        """
        return await self._run("repair", "--budget", str(min(budget, self.seconds)), "--", str(self._inside(script)))

    async def reproduce(self, report: str, budget: float = 120.0) -> Document:
        """Turn a bug report into a script that shows the bug, and run it in an environment of the report's time."""
        limit = str(min(budget, self.seconds))
        return await self._run("reproduce", "-", "--budget", limit, "--offline", given=report)

    async def verify_bug(self, bug: str, runs: int = 1) -> Document:
        """Run both programs of a bug of the corpus: the buggy one must fail, the fixed one must pass."""
        return await self._run("verify", "--runs", str(max(1, min(runs, 5))), "--", bug)

    async def _run(self, *arguments: str, given: str = "") -> Document:
        return await self._ask(*arguments, given=given, seconds=self.seconds + 60)


async def _check_code(code: str) -> Document:
    """Checks text that is not in a file of the project."""
    with TemporaryDirectory(prefix="bugloss-mcp-") as folder:
        write_inside(Path(folder), "pasted.py", code)
        return await call_verb(("check", "--no-cache", "--", "pasted.py"), Path(folder), seconds=_QUICK)


READING = ("lookup", "search_bugs", "get_bug", "check", "triage", "localize", "list_runs")
RUNNING = ("diagnose", "repair", "reproduce", "verify_bug")


def tool_functions(root: Path, *, allow_run: bool, seconds: float) -> list[Any]:
    """The tools that a server offers, by what it is allowed to do."""
    tools = RunningTools(root, seconds)
    return [getattr(tools, name) for name in (*READING, *(RUNNING if allow_run else ()))]
