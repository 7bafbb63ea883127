"""What a mutation operator is: one class with its labels, the edits that it makes, and programs that prove it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType
from bugloss.source.text.module import SourceModule


class MutationGroup(Enum):
    """The part of a training that an operator damages; the groups of DeepCrime (ISSTA 2021), table 1."""

    TRAINING_DATA = "training data"
    HYPERPARAMETERS = "hyperparameters"
    ACTIVATION = "activation function"
    REGULARIZATION = "regularisation"
    WEIGHTS = "weights"
    LOSS = "loss function"
    OPTIMIZER = "optimisation function"
    VALIDATION = "validation"


@dataclass(frozen=True, slots=True)
class FaultLabels:
    """What a fault that an operator makes is called in the taxonomy."""

    category: Category
    bug_type: BugType
    general_type: GeneralType
    fix_pattern: FixPattern


@dataclass(frozen=True, slots=True)
class MutationExample:
    """A program and what the first edit of the operator must make of it."""

    program: str
    expected: str


class MutationOperator(ABC):
    """Base of all operators; the docstring says in one paragraph what is changed.

    ``deepcrime`` is the abbreviation of the operator in DeepCrime, empty where it has none. On programs in
    ``untouched`` the operator must find nothing to change.
    """

    name: ClassVar[str]
    group: ClassVar[MutationGroup]
    labels: ClassVar[FaultLabels]
    examples: ClassVar[tuple[MutationExample, ...]]
    untouched: ClassVar[tuple[str, ...]]
    deepcrime: ClassVar[str] = ""

    @abstractmethod
    def edits(self, module: SourceModule) -> Iterator[Edit]:
        """Every place where the fault can be put in, each as one edit."""
