"""Requirements as projects write them: ``torch>=1.8,<2``, conda's ``numpy=1.19``, Poetry's ``^2.1``."""

from __future__ import annotations

import re
from dataclasses import dataclass

Version = tuple[int, ...]

_CLAUSE = re.compile(r"(===|[=!~<>]=|[=~<>^])\s*([\w.*+!-]+)")
_LINE = re.compile(rf"^\s*([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?\s*((?:{_CLAUSE.pattern}\s*,?\s*)*)")
_PATCHES = 40  # no release that has a catalogue was patched more often


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package and the requirement on its release, as operators and versions."""

    name: str
    clauses: tuple[tuple[str, str], ...] = ()

    @property
    def exact(self) -> str | None:
        """The one release that is allowed, where it is named."""
        pinned = (text for operator, text in self.clauses if operator in {"==", "===", "="} and "*" not in text)
        return next((_joined(parse_version(text)) for text in pinned if "." in text), None)

    @property
    def bound(self) -> str | None:
        """The first release that is named, where it is a minor release."""
        return next((_joined(parse_version(text)) for _, text in self.clauses if len(parse_version(text)) > 1), None)

    def admitted(self, releases: tuple[str, ...]) -> list[str]:
        """The releases of which some patch release is allowed: only their first two numbers count."""
        from packaging.specifiers import SpecifierSet  # loaded where a range is asked about: it takes 45 ms

        allowed = SpecifierSet(",".join(_standard(*clause) for clause in self.clauses))
        minors = {release: _joined(parse_version(release)[:2]) for release in releases}
        return [
            release
            for release, minor in minors.items()
            if any(allowed.contains(f"{minor}.{patch}") for patch in range(_PATCHES))
        ]


def parse_version(text: str) -> Version:
    """The leading numbers of a version: ``2.13.0+cpu`` is (2, 13, 0)."""
    found = re.match(r"\d{1,18}(?:\.\d{1,18})*", text)  # no release has longer numbers, and Python would refuse them
    return tuple(map(int, found[0].split("."))) if found else ()


def parse_requirement(line: str) -> Requirement | None:
    """One line of a requirements file; None when it names no package."""
    found = _LINE.match(line.split("#", 1)[0].split(";", 1)[0])
    if found is None:
        return None
    clauses = (clause for clause in _CLAUSE.findall(found[2]) if parse_version(clause[1]))
    return Requirement(found[1].lower().replace("_", "-"), tuple(clauses))


def _standard(operator: str, text: str) -> str:
    """A clause as PEP 440 has it: conda's ``=``, Poetry's ``^`` and npm's ``~`` are written out."""
    version = parse_version(text)
    if operator == "^":
        significant = next((place for place, number in enumerate(version) if number), 0)
        return f">={_joined(version)},=={_joined(version[: significant + 1])}.*"
    if operator == "~" or (operator == "~=" and len(version) < 2):
        return f">={_joined(version)},=={_joined(version[:2])}.*"
    if operator == "=" or (operator in {"==", "!="} and text.endswith("*")) or (operator == "==" and len(version) < 2):
        return f"{'==' if operator == '=' else operator}{_joined(version)}.*"
    return f"{operator}{_joined(version)}"


def _joined(version: Version) -> str:
    return ".".join(map(str, version))
