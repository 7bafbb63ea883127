"""What a family of crashes is made of: patterns that know a message, say what it means, and carry examples as proof."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bugloss.core.bounded_text import middle_cut
from bugloss.core.cause import Location
from bugloss.core.edit import Edit
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash_event import Operand


@dataclass(frozen=True, slots=True)
class Rival:
    """Another reading of the same message, for the case that the first one is wrong."""

    cause: str
    fix_pattern: FixPattern
    confidence: float
    explanation: str
    advice: str


@dataclass(frozen=True, slots=True)
class CrashText:
    """A crash in words. What is left empty is taken from the pattern; ``locations`` come before the crashing line."""

    explanation: str
    advice: str
    evidence: tuple[str, ...] = ()
    locations: tuple[Location, ...] = ()
    fix_pattern: FixPattern | None = None
    confidence: float | None = None
    rivals: tuple[Rival, ...] = ()
    edits: tuple[Edit, ...] = ()  # found by the cause (``fixes.table``) where empty
    suspects: tuple[str, ...] = ()  # names on the crashing line whose values are wrong; all of them where empty


Teller = Callable[[Scene, re.Match[str]], CrashText]


@dataclass(frozen=True, slots=True)
class Example:
    """A message that a pattern must know, and words that must be said about it.

    ``program`` is the user's file and ``line`` the line that crashed, where the story draws on them.
    """

    message: str
    says: tuple[str, ...] = ()
    exception: str = "RuntimeError"
    program: str = ""
    line: int = 1
    operands: tuple[Operand, ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind of crash: the words of its message, the fault, and how to explain it.

    ``marks`` are literal pieces of the message. Only where one of them stands is the expression compiled and tried:
    compiling all of them would cost more time than everything else that ``bugloss lookup`` does.
    """

    cause: str
    kind: CrashKind
    fix_pattern: FixPattern
    marks: tuple[str, ...]
    expression: str
    tell: Teller
    examples: tuple[Example, ...]
    confidence: float = 0.85
    exceptions: tuple[str, ...] = ()  # classes that fit; any where empty
    through: tuple[str, ...] = ()  # functions one of which must be on the call stack
    only_if: Callable[[Scene], bool] | None = None  # what the program must have for this reading
    general: bool = False  # knows the form of a message, not the failure: two that it knows need not be alike

    def match(self, scene: Scene) -> re.Match[str] | None:
        """How the message fits this pattern, if it does."""
        if self.exceptions and not any(scene.raised(name) for name in self.exceptions):
            return None
        if self.through and not scene.went_through(*self.through):
            return None
        if not any(mark in scene.text for mark in self.marks):
            return None
        found = re.search(self.expression, middle_cut(scene.text, _LONGEST_SEARCHED), re.DOTALL)
        return found if found and (self.only_if is None or self.only_if(scene)) else None


@dataclass(frozen=True, slots=True)
class CrashFamily:
    """Patterns that belong together, in the order in which they are tried."""

    name: str
    patterns: tuple[Pattern, ...]


_LONGEST_SEARCHED = 4_000  # characters; expressions say "anything" between their parts, which costs the square of it
_OPTIONAL = re.compile(r"⟨([^⟩]*)⟩")
_NAMED = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class _Plain:
    explanation: str
    advice: str
    evidence: str

    def __call__(self, scene: Scene, match: re.Match[str]) -> CrashText:
        words = {name: value or "" for name, value in match.groupdict().items()}
        evidence = _filled(f"⟨{self.evidence}⟩", words)
        return CrashText(_filled(self.explanation, words), _filled(self.advice, words), (evidence,) if evidence else ())


def _filled(template: str, words: dict[str, str]) -> str:
    """The template with its words; a part in ⟨⟩ is left out where one of its words is missing."""

    def keep(part: re.Match[str]) -> str:
        return part[1] if all(words.get(name) for name in _NAMED.findall(part[1])) else ""

    return _OPTIONAL.sub(keep, template).format(**words)


def plain(explanation: str, advice: str, evidence: str = "") -> Teller:
    """A story that only needs the named groups of the expression: ``{name}``, and ``⟨ ({name})⟩`` where it may lack."""
    return _Plain(explanation, advice, evidence)
