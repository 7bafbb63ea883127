"""A bug of the corpus: identity, origin, labels and oracle, as its ``bug.toml`` states them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from bugloss.core.bug_conditions import BugSetting, Releases
from bugloss.core.taxonomy import BugType, Category, EditAction, FixPattern, GeneralType, Origin, Property, SymptomType


class Framework(Enum):
    """The library whose use is at fault; the value is also the name of the folder in ``bugs/``."""

    TORCH = "torch"
    KERAS = "keras"
    TENSORFLOW = "tensorflow"

    @property
    def prefix(self) -> str:
        """What a bug id of this framework starts with."""
        return "tf" if self is Framework.TENSORFLOW else self.value


class Twin(Enum):
    """The two programs of a bug."""

    BUGGY = "buggy"
    FIXED = "fixed"

    @property
    def letter(self) -> str:
        """The suffix of a bug id that means this program: ``torch-0003b``."""
        return self.value[0]


class Status(Enum):
    """Whether a bug counts: only active ones enter a score. The register says so, not the bug's folder."""

    ACTIVE = "active"
    FLAKY = "flaky"
    DEPRECATED = "deprecated"


class OriginKind(Enum):
    """Where a bug was documented first."""

    STACK_OVERFLOW = "stackoverflow"
    GITHUB_ISSUE = "github-issue"
    GITHUB_COMMIT = "github-commit"
    GITHUB_PULL = "github-pull"
    MUTATION = "mutation"  # nowhere: an operator put it into a healthy program


class OracleKind(Enum):
    """How the test decides between the buggy and the fixed program."""

    EXCEPTION = "exception"
    VALUE = "value"
    SYMPTOM = "symptom"
    COST = "cost"


@dataclass(frozen=True, slots=True)
class Provenance:
    """The documented bug that ours re-creates."""

    kind: OriginKind
    url: str
    aliases: tuple[str, ...] = ()
    reported_with: str = ""


@dataclass(frozen=True, slots=True)
class Labels:
    """One label of each facet of the taxonomy."""

    category: Category
    bug_type: BugType
    general_type: GeneralType
    symptom: SymptomType
    property: Property
    fix_pattern: FixPattern
    origin: Origin
    edit_actions: tuple[EditAction, ...] = ()


class BoundKind(Enum):
    """On which side of its bound a measurement is healthy."""

    AT_LEAST = "at least"
    AT_MOST = "at most"
    EQUALS = "equals"


@dataclass(frozen=True, slots=True)
class Bound:
    """What a healthy program's measurement meets."""

    kind: BoundKind
    limit: object


@dataclass(frozen=True, slots=True)
class Measurement:
    """What the test measures, how often, and what is healthy: a bound, or for a cost the ratio to the fixed program."""

    metric: str
    repeats: int = 1
    bound: Bound | None = None
    ratio: float | None = None

    def seeds(self, kind: OracleKind, base: int) -> range:
        """The seeds that a run with this base seed measures, in order."""
        return range(base, base + 1) if kind is OracleKind.VALUE else range(base * 1000, base * 1000 + self.repeats)


@dataclass(frozen=True, slots=True)
class Oracle:
    """What counts as failing. Three fields say which exception the buggy program must raise.

    ``measurement`` is not part of ``bug.toml``: it is read from the oracle's call in the bug's own ``test.py``. It is
    left out of ``repr`` because bugs are recognised by a digest of what their ``bug.toml`` says.
    """

    kind: OracleKind
    exception: str = ""
    message: str = ""
    raised_in: str = ""
    measurement: Measurement | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class DataRecipe:
    """Where the program's data come from and under which terms."""

    recipe: str
    licence: str


class BugKind(Enum):
    """Whether somebody had the bug, and whether its program is ours; scores of the kinds are never pooled."""

    REAL = "real"
    UPSTREAM = "upstream"
    SYNTHETIC = "synthetic"


@dataclass(frozen=True, slots=True)
class Upstream:
    """Two commits of a public repository between which a bug was fixed, and which of its files make up the program.

    The sources are not part of the corpus: they are read from a clone or a mirror when they are needed.
    """

    repository: str  # its public address
    before: str  # the commit before the fix, and that of the fix, in full
    fix: str
    licence: str  # of the repository, by its SPDX name
    sources: tuple[str, ...]  # its files and folders that the program needs
    root: str = ""  # the folder of the repository that is the top of the program, such as src
    patch: tuple[str, ...] = ()  # the files that count as the fix; else all Python files of the sources that differ


@dataclass(frozen=True, slots=True)
class Mutation:
    """How a synthetic fault came about, and what the measurements of original and mutant say of it."""

    operator: str
    group: str
    base: str  # the bug whose fixed program was changed
    path: str
    line: int
    edit: str  # in words
    fate: str
    pairs: int = 0
    p_value: float = 1.0
    cliffs_delta: float = 0.0


@dataclass(frozen=True, slots=True)
class Bug:
    """Everything ``bug.toml`` says, with the folder it was read from."""

    id: str
    title: str
    framework: Framework
    stack: str
    entry: str
    seconds: float
    origin: Provenance
    labels: Labels
    oracle: Oracle
    data: DataRecipe
    notes: str = ""
    counterparts: tuple[str, ...] = ()  # the same fault in another framework
    settings: tuple[BugSetting, ...] = ()
    releases: Releases | None = None  # where it shows on one side of a version boundary only
    pins: tuple[str, ...] = ()
    from_source: dict[str, str] = field(
        default_factory=dict, hash=False
    )  # pins without a wheel: "sha256:…" of their source
    mutation: Mutation | None = None
    upstream: Upstream | None = None
    folder: Path = field(default=Path(), compare=False)

    @property
    def home(self) -> str:
        """The folder of a corpus that the bug belongs in."""
        return BugKind.UPSTREAM.value if self.upstream is not None else self.framework.value

    @property
    def prefix(self) -> str:
        """What its id starts with in a corpus."""
        if self.upstream is not None:
            return "up"
        return self.framework.prefix if self.mutation is None else BugKind.SYNTHETIC.value

    @property
    def kind(self) -> BugKind:
        """Real, from a public repository, or made by a mutation operator."""
        if self.upstream is not None:
            return BugKind.UPSTREAM
        return BugKind.REAL if self.mutation is None else BugKind.SYNTHETIC
