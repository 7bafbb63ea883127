"""A bug of somebody else's benchmark, as far as its files say: where its programs are, what tests them.

It has no labels of our taxonomy and no oracle of ours, so it is never pooled with bugs of bugloss.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ForeignLayout(Enum):
    """How a benchmark lays out its bugs; the value is what ``--layout`` takes."""

    DEFECT4ML = "defect4ml"
    GDEFECTS4DL = "gdefects4dl"
    BUGSINPY = "bugsinpy"
    AIFAULTBENCH = "aifaultbench"
    SWE_BENCH = "swe-bench"


class Runner(Enum):
    """What runs a test: a script as it is, or a module of Python."""

    SCRIPT = "script"
    PYTEST = "pytest"
    UNITTEST = "unittest"


@dataclass(frozen=True, slots=True)
class ForeignTest:
    """One command of a benchmark's test, as far as bugloss runs it: never a shell."""

    runner: Runner
    arguments: tuple[str, ...]

    @property
    def words(self) -> str:
        head = "python" if self.runner is Runner.SCRIPT else f"python -m {self.runner.value}"
        return " ".join((head, *self.arguments))


@dataclass(frozen=True, slots=True)
class ProgramPlace:
    """Where one program is: a folder or file of the benchmark, or a commit of a repository with patches on it."""

    path: str = ""  # below the benchmark's folder
    commit: str = ""
    patches: tuple[str, ...] = ()
    test_commit: str = ""  # where the files of the tests are taken from, if not from the commit
    test_paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForeignBug:
    """Everything a benchmark's files say of one bug; ``obstacles`` are sentences that say why it cannot run."""

    id: str
    source: str
    layout: ForeignLayout
    title: str
    buggy: ProgramPlace
    fixed: ProgramPlace
    project: str = ""  # owner/name of the repository, where the programs are commits
    url: str = ""
    framework: str = ""
    python: str = ""  # 3.7
    requirements: tuple[str, ...] = ()
    tests: tuple[ForeignTest, ...] = ()
    report: str = ""
    remarks: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()

    @property
    def runs(self) -> bool:
        """Whether nothing is known that keeps it from running; its environment may still be impossible to build."""
        return not self.obstacles


@dataclass(frozen=True, slots=True)
class ForeignSource:
    """A benchmark that the user added: its name is the prefix of its bugs' ids."""

    name: str
    layout: ForeignLayout
    path: str
    repositories: str = ""  # a folder with clones of the projects
    added: str = ""
