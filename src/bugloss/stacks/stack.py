"""A stack: an interpreter version and exact packages, read from the data file of its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files

from bugloss.core.codec import decode
from bugloss.core.documents import parse_toml
from bugloss.core.errors import InvalidInput
from bugloss.core.suggestion import did_you_mean

# Nothing else than one name and one version: a pin is written into a file where pip also reads options.
_EXACT_PIN = re.compile(r"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(?:\[[\w.,-]+\])? *== *[A-Za-z0-9][\w.!+-]*", re.ASCII)
_SHA256 = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SourcePackage:
    """A package that has no wheel: its pin, the hash of its source, and whether we looked at what its build does."""

    requirement: str
    sha256: str
    vetted: bool

    @property
    def project(self) -> str:
        return _project(self.requirement)


@dataclass(frozen=True, slots=True)
class Stack:
    """An interpreter version, the exact packages, and what a build is expected to cost."""

    name: str
    title: str
    python: tuple[str, ...]
    packages: tuple[str, ...]
    megabytes: int
    build_seconds: int
    variables: dict[str, str] = field(default_factory=dict)
    notes: str = ""
    date: str = ""  # the day up to which further packages are taken, so that they are of the stack's time
    from_source: dict[str, str] = field(default_factory=dict)
    foreign_source: dict[str, str] = field(default_factory=dict)

    def with_pins(self, pins: Iterable[str], from_source: Mapping[str, str] | None = None) -> Stack:
        """The stack with some packages pinned otherwise or added; ``from_source`` names those that have no wheel."""
        own = {_project(requirement): requirement for requirement in self.packages}
        added = {_project(pin): pin for pin in pins}
        foreign = {project_name(name): sha256 for name, sha256 in (from_source or {}).items()}
        for name, sha256 in foreign.items():
            _check_source(name, sha256, added)
        packages = own | added
        return replace(
            self,
            packages=tuple(packages[name] for name in sorted(packages)),
            from_source={name: sha256 for name, sha256 in self.from_source.items() if packages[name] == own[name]},
            foreign_source=foreign,
        )

    def source_packages(self) -> Iterator[SourcePackage]:
        """The packages that are built from source: ours, then those that a bug brings."""
        packages = {_project(requirement): requirement for requirement in self.packages}
        for sources, vetted in ((self.from_source, True), (self.foreign_source, False)):
            for name, sha256 in sources.items():
                yield SourcePackage(packages[name], sha256, vetted)


def stack_names() -> list[str]:
    """The names of all shipped stacks."""
    shipped = files("bugloss.stacks").iterdir()
    return sorted(entry.name.removesuffix(".toml") for entry in shipped if entry.name.endswith(".toml"))


def load_stack(name: str) -> Stack:
    """One stack by name."""
    known = stack_names()
    if name not in known:
        raise InvalidInput(f"there is no stack called '{name}'.", hint=did_you_mean(name, known))
    text = (files("bugloss.stacks") / f"{name}.toml").read_text(encoding="utf-8")
    return decode(Stack, parse_toml(text))


def project_name(name: str) -> str:
    """A package's name in its one normal spelling."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _project(requirement: str) -> str:
    pin = _EXACT_PIN.fullmatch(requirement)
    if pin is None:
        raise InvalidInput(f"'{requirement}' is not an exact pin.", hint="Write name==version.")
    return project_name(pin[1])


def _check_source(name: str, sha256: str, pins: Mapping[str, str]) -> None:
    if name not in pins:
        raise InvalidInput(f"from_source names '{name}', which is not one of the bug's pins.")
    if not _SHA256.fullmatch(sha256):
        hint = f'Write: {name} = "sha256:…", the hash of the source package.'
        raise InvalidInput(f"from_source gives '{name}' the hash '{sha256[:80]}'.", hint=hint)
