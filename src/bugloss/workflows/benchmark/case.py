"""One program of a bug as tools get it: its files, and an observed run that is made once for all of them."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from socket import gethostname
from tempfile import mkdtemp

from bugloss.core.bug import Twin
from bugloss.core.errors import EnvironmentFailure
from bugloss.core.run import Outcome
from bugloss.core.taxonomy import SymptomType
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import bug_files
from bugloss.evaluate.matrix.cell import ClaimedLine, content_key
from bugloss.observe.recording import Recording
from bugloss.record.runs import RunFacts, RunFolder
from bugloss.run.environment import provide
from bugloss.workflows.benchmark.versions import rooms_digest
from bugloss.workflows.bug_trial import isolation_for
from bugloss.workflows.diagnosis import Examined, examine
from bugloss.workflows.observation import Observation, observe_sandboxed, recording_of

_DRAFT = ".draft-"


class DoesNotApply(Exception):
    """A tool has nothing to say about this kind of program: neither a hit nor a miss."""


@dataclass(frozen=True, slots=True)
class BenchSettings:
    """What is the same for every tool of an evaluation."""

    timeout: float = 180.0  # seconds of a program
    runs: int = 5  # seeds of a program that a tool gets which compares several runs
    budget: float = 30.0  # seconds of a search, for tools that search
    offline: bool = False


def program_digest(entry: Entry, side: Twin) -> str:
    """The content of one program of a bug."""
    files = {file.name: file.read_bytes().hex() for file, _ in bug_files(entry.program(side)).files}
    return content_key(entry.bug.entry, files)


def stack_digest(entry: Entry) -> str:
    """What the environment of a bug is made of."""
    stack = entry.stack
    return content_key(stack.name, stack.python, sorted(stack.packages), sorted(stack.variables.items()))


class ProgramCase:
    """A program under examination; recordings are made when a tool asks for one, and kept in a folder."""

    def __init__(self, entry: Entry, side: Twin, seed: int, settings: BenchSettings, recordings: Path) -> None:
        self.entry = entry
        self.side = side
        self.seed = seed
        self.settings = settings
        self.recordings = recordings
        self.recording_seconds = 0.0  # spent here on making recordings

    @property
    def folder(self) -> Path:
        return self.entry.program(self.side)

    @property
    def script(self) -> Path:
        return self.folder / self.entry.bug.entry

    @cached_property
    def recorded(self) -> RunFolder:
        """The observed run of this program with its seed."""
        return self._recorded(self.seed)

    @cached_property
    def facts(self) -> RunFacts:
        return self.recorded.facts()

    @cached_property
    def recording(self) -> Recording:
        return recording_of(self.recorded)

    @cached_property
    def examined(self) -> Examined:
        return examine(self.recorded)

    @property
    def run_seconds(self) -> float:
        """How long the observed run took; 0 where no tool has asked for it."""
        return round(self.facts.seconds or 0.0, 3) if "recorded" in vars(self) else 0.0

    def several(self) -> Iterator[Recording]:
        """Recordings over seeds, this one first."""
        yield self.recording
        for seed in range(self.seed + 1, self.seed + self.settings.runs):
            yield recording_of(self._recorded(seed))

    def inside(self, path: str) -> str:
        """A path as seen from the program's folder."""
        with suppress(ValueError):
            return Path(path).relative_to(self.folder).as_posix()
        return PurePosixPath(path).as_posix()

    def line(self, path: str, line: int) -> ClaimedLine:
        return ClaimedLine(self.inside(path), line)

    def _recorded(self, seed: int) -> RunFolder:
        """A recording with the same content, or a new one; what the machine stopped is not kept."""
        name = content_key(
            program_digest(self.entry, self.side),
            stack_digest(self.entry),
            seed,
            self.settings.timeout,
            rooms_digest("probes"),
        )
        kept = RunFolder(self.recordings / name)
        if self._is_usable(kept):
            return kept
        started = time.monotonic()
        made = self._record(seed)
        self.recording_seconds += time.monotonic() - started
        try:
            return self._keep(made, kept) if _ended(made.facts(), self.entry) else _refuse(made.facts())
        finally:
            shutil.rmtree(made.path.parents[2], ignore_errors=True)

    def _is_usable(self, kept: RunFolder) -> bool:
        """Whether a recording is there, of this very folder: it names the sources that are read with it."""
        return (kept.path / "run.json").is_file() and kept.facts().folder == str(self.folder.resolve())

    def _record(self, seed: int) -> RunFolder:
        environment = provide(self.entry.stack, offline=self.settings.offline)
        observation = Observation(
            self.script, properties=True, seed=seed, timeout=self.settings.timeout, root=self.folder
        )
        try:
            self.recordings.mkdir(parents=True, exist_ok=True)
            draft = Path(mkdtemp(prefix=f"{_DRAFT}{gethostname()}-{os.getpid()}-", dir=self.recordings))
        except OSError as error:
            raise EnvironmentFailure(f"{self.recordings} cannot be written: {error.strerror}.") from error
        level = isolation_for(self.entry)
        return observe_sandboxed(observation, environment=environment, isolation=level, root=draft)

    @staticmethod
    def _keep(made: RunFolder, kept: RunFolder) -> RunFolder:
        """Moves a whole recording to its place; one that another process has put there meanwhile is as good."""
        if kept.path.exists():
            shutil.rmtree(kept.path, ignore_errors=True)
        with suppress(OSError):
            os.rename(made.path, kept.path)  # noqa: PTH104 - rename() would return a path that nobody needs
        return kept


def remove_leftovers(recordings: Path) -> None:
    """Removes what killed processes of this machine have left."""
    for draft in recordings.glob(f"{_DRAFT}{gethostname()}-*"):
        number = draft.name.removeprefix(f"{_DRAFT}{gethostname()}-").partition("-")[0]
        if not _lives(number):
            shutil.rmtree(draft, ignore_errors=True)


def _lives(number: str) -> bool:
    """Whether a process runs; one that nobody has reaped has no command line any more."""
    try:
        return number.isdigit() and bool(Path("/proc", number, "cmdline").read_bytes())
    except OSError:
        return False


def _ended(facts: RunFacts, entry: Entry) -> bool:
    """Whether the run says something about the program: hanging is what some bugs do."""
    if facts.outcome is Outcome.TIMED_OUT:
        return entry.bug.labels.symptom is SymptomType.HANG
    return facts.outcome.came_to_an_end or (facts.outcome is Outcome.KILLED and facts.stopped is None)


def _refuse(facts: RunFacts) -> RunFolder:
    reason = facts.stopped or facts.outcome.value
    raise EnvironmentFailure(f"the program was stopped ({reason}) after {facts.seconds or 0:.0f} s.")
