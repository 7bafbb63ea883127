"""What somebody wrote about a bug: the report, the blocks it is made of, the facts that it states.

All positions count characters of ``Report.body`` from 0, as Python slices do: ``body[block.start:block.end]`` is the
block as it was written, fences and all. A Markdown or text file is its own body, title line included; the HTML of a web
page and a notebook are turned into Markdown first, and that is their body.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import Enum

from bugloss.core.failure.failure import Failure
from bugloss.core.raised import RaisedException


class ReportSource(Enum):
    """Where a report comes from: reports of one source have the same form."""

    STACK_OVERFLOW = "stack-overflow"
    GITHUB = "github"
    NOTEBOOK = "notebook"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Report:
    """A question, an issue or another bug report, as its author wrote it."""

    title: str
    body: str
    tags: tuple[str, ...] = ()
    created_at: date | None = None
    url: str = ""
    source: ReportSource = ReportSource.TEXT

    @property
    def text(self) -> str:
        """Title and body; a body that opens with its title is not given twice."""
        return self.body if self.title in self.body.lstrip()[: len(self.title) + 4] else f"{self.title}\n\n{self.body}"


class BlockKind(Enum):
    """What a stretch of a report is."""

    PROSE = "prose"
    CODE = "code"
    LOG = "log"
    TRACEBACK = "traceback"
    ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of one kind. ``text`` is its content: without fences, common indentation and prompts."""

    kind: BlockKind
    text: str
    start: int
    end: int
    language: str = ""


class FactKind(Enum):
    """What a fact is about."""

    SHAPE = "shape"
    DTYPE = "dtype"
    VERSION = "version"
    DATASET = "dataset"
    LAYER = "layer"
    OPTIMIZER = "optimizer"
    LOSS = "loss"
    METRIC = "metric"
    HYPERPARAMETER = "hyperparameter"
    ACTIVATION = "activation"
    ARCHITECTURE = "architecture"
    FRAMEWORK = "framework"
    DEVICE = "device"
    SYSTEM = "system"
    FILE = "file"
    EXCEPTION = "exception"
    EXPECTED = "expected"
    ACTUAL = "actual"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a report states, and the words that say so.

    ``value`` is normalised: a shape is ``(64, 3, 224, 224)`` with ``None`` for a free dimension, an exception is
    ``ValueError: message``. ``name`` says of what, where the report does: the variable that has the shape, the package
    that has the version, the hyperparameter that has the value.
    """

    kind: FactKind
    value: str
    start: int
    end: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A report taken apart: blocks in order, which cover everything but blank lines, and facts in order.

    ``failures`` are those that its tracebacks and logs show, in order; exceptions that words name are facts.
    """

    report: Report
    blocks: tuple[Block, ...] = ()
    facts: tuple[Fact, ...] = ()
    remarks: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()

    @property
    def ended_by(self) -> tuple[Failure, ...]:
        """The failures that ended a program: the last of each block, those with a traceback before bare lines."""
        last = (failure for failure in self.failures if not failure.superseded and failure.kind)
        return tuple(sorted(last, key=lambda failure: not failure.exception.frames))

    @property
    def failure(self) -> Failure | None:
        """The failure that the report is about; where it shows none, the last one that its words name."""
        shown = self.ended_by
        if shown:
            return shown[0]
        named = [fact for fact in self.about(FactKind.EXCEPTION) if fact.name != "abort"]
        if not named:
            return None
        kind, _, message = named[-1].value.partition(": ")
        return Failure.of(RaisedException(kind, kind, message), named[-1].start, named[-1].end)

    def of_kind(self, *kinds: BlockKind) -> Iterator[Block]:
        """The blocks of some kinds."""
        return (block for block in self.blocks if block.kind in kinds)

    def about(self, *kinds: FactKind) -> Iterator[Fact]:
        """The facts of some kinds."""
        return (fact for fact in self.facts if fact.kind in kinds)
