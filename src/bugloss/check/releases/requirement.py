"""Requirements as projects write them: ``torch>=1.8,<2``, conda's ``numpy=1.19``, Poetry's ``^2.1``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest

Version = tuple[int, ...]

_LINE = re.compile(r"^\s*([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?\s*((?:[=<>!~^]=?=?\s*[\w.*+!-]+\s*,?\s*)*)")
_CLAUSE = re.compile(r"([=<>!~^]=?=?)\s*([\w.*+!-]+)")
_HIGH = 99_999


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package and the stretch of releases that is allowed; None where it is open."""

    name: str
    lowest: Version | None = None
    highest: Version | None = None  # inclusive; a missing part stands for any
    exact: str | None = None

    def admits(self, version: Version) -> bool:
        """Whether some patch release of this version is allowed: only its first two numbers count."""
        first, last = (*version[:2],), (*version[:2], _HIGH)
        return not (
            (self.lowest is not None and _compare(last, self.lowest) < 0)
            or (self.highest is not None and _compare(first, self.highest, _HIGH) > 0)
        )


def parse_version(text: str) -> Version:
    """The leading numbers of a version: ``2.13.0+cpu`` is (2, 13, 0)."""
    found = re.match(r"\d{1,18}(?:\.\d{1,18})*", text)  # no release has longer numbers, and Python would refuse them
    return tuple(map(int, found[0].split("."))) if found else ()


def parse_requirement(line: str) -> Requirement | None:
    """One line of a requirements file; None when it names no package."""
    found = _LINE.match(line.split("#", 1)[0].split(";", 1)[0])
    if found is None:
        return None
    requirement = Requirement(found[1].lower().replace("_", "-"))
    for operator, version in _CLAUSE.findall(found[2]):
        requirement = _narrowed(requirement, operator, version)
    return requirement


def _narrowed(requirement: Requirement, operator: str, text: str) -> Requirement:
    version = parse_version(text)
    if not version:
        return requirement
    low, high, exact = requirement.lowest, requirement.highest, requirement.exact
    if operator in {"==", "===", "="}:
        low, high = version, version
        exact = None if "*" in text or len(version) < 2 else ".".join(map(str, version))
    elif operator in {">=", ">"}:
        low = version
    elif operator == "<=":
        high = version
    elif operator == "<":
        high = _before(version)
    elif operator in {"~=", "~", "^"}:
        low, high = version, _compatible(operator, version)
    return Requirement(requirement.name, low, high, exact)


def _compatible(operator: str, version: Version) -> Version:
    """The last release that still counts as compatible."""
    if operator == "^":
        significant = next((place for place, number in enumerate(version) if number), 0)
        return version[: significant + 1]
    if operator == "~":
        return version[:2]
    return version[:-1] or version


def _before(version: Version) -> Version:
    """The last release before a version: 2.0 gives 1.*, 2.4 gives 2.3.*, 2.4.3 gives 2.4.2."""
    trimmed = list(version)
    while len(trimmed) > 1 and trimmed[-1] == 0:
        trimmed.pop()
    trimmed[-1] -= 1
    return tuple(trimmed)


def _compare(first: Version, second: Version, filler: int = 0) -> int:
    """Below, equal or above; parts that the second lacks count as the filler."""
    for one, other in zip_longest(first, second):
        difference = (one or 0) - (filler if other is None else other)
        if difference:
            return difference
    return 0
