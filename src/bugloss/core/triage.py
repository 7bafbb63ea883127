"""What triage says of a report: the bug's type and origin, what the report states and lacks, what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bugloss.core.reproduction import ProgramEdit
from bugloss.core.taxonomy import Category, EditAction, Information, Origin


@dataclass(frozen=True, slots=True)
class ReportWords:
    """Words of a report. Positions count characters of its body, or of its title where ``where`` says so."""

    text: str
    start: int
    end: int
    where: str = "body"
    weight: float = 0.0  # how much it spoke for the answer, in log-odds


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another answer, and how probable it is."""

    label: str
    probability: float


@dataclass(frozen=True, slots=True)
class TypeGuess:
    """The type of the bug with what else it might be, and the words that decided."""

    label: Category
    probability: float
    alternatives: tuple[Alternative, ...] = ()
    evidence: tuple[ReportWords, ...] = ()


@dataclass(frozen=True, slots=True)
class OriginGuess:
    """Whether the bug comes from inside the project; if from outside, from what."""

    extrinsic: bool
    probability: float
    kind: Origin | None = None
    evidence: tuple[ReportWords, ...] = ()


@dataclass(frozen=True, slots=True)
class InformationState:
    """Whether a report has one of the five kinds of information, and where."""

    present: bool
    evidence: tuple[ReportWords, ...] = ()
    useful: float = 0.0  # of reproduced bugs of this type, the share whose reports had it


@dataclass(frozen=True, slots=True)
class Recommendation:
    """An edit that reproduced bugs of this type took: so many, of so many; what it is, and what it would be here."""

    edit: ProgramEdit  # worked out for this report; without code where its facts do not suffice
    confidence: float
    support: int
    of: int
    explanation: str
    example: str

    @property
    def action(self) -> EditAction:
        return self.edit.action


@dataclass(frozen=True, slots=True)
class SimilarBug:
    """A bug of the corpus with a similar failure."""

    bug: str
    score: float
    title: str = ""
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Triage:
    """Everything that is read from a report without running anything."""

    bug_type: TypeGuess
    origin: OriginGuess
    information: Mapping[Information, InformationState]
    score: int
    questions: tuple[str, ...]
    edit_actions: tuple[Recommendation, ...]
    deep_learning: bool
    enough: bool = True  # false: too short to tell, and the answers are hardly more than a guess
    framework: str = ""
    similar: tuple[SimilarBug, ...] = ()
    remarks: tuple[str, ...] = field(default=())
