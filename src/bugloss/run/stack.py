"""Stacks: named, pinned environments, one data file each in ``stacks/``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from importlib.resources import files

from bugloss.core.codec import decode
from bugloss.core.documents import parse_toml
from bugloss.core.errors import InvalidInput
from bugloss.core.suggestion import did_you_mean

# Nothing else than one name and one version: a pin is written into a file where pip also reads options.
_EXACT_PIN = re.compile(r"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(?:\[[\w.,-]+\])? *== *[A-Za-z0-9][\w.!+-]*", re.ASCII)


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

    def with_pins(self, pins: Iterable[str]) -> Stack:
        """The stack with some packages pinned otherwise or added."""
        packages = {_project(requirement): requirement for requirement in self.packages}
        packages.update({_project(pin): pin for pin in pins})
        return replace(self, packages=tuple(packages[name] for name in sorted(packages)))


def stack_names() -> list[str]:
    """The names of all shipped stacks."""
    folder = files("bugloss.run") / "stacks"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def load_stack(name: str) -> Stack:
    """One stack by name."""
    known = stack_names()
    if name not in known:
        raise InvalidInput(f"there is no stack called '{name}'.", hint=did_you_mean(name, known))
    text = (files("bugloss.run") / "stacks" / f"{name}.toml").read_text(encoding="utf-8")
    return decode(Stack, parse_toml(text))


def _project(requirement: str) -> str:
    pin = _EXACT_PIN.fullmatch(requirement)
    if pin is None:
        raise InvalidInput(f"'{requirement}' is not an exact pin.", hint="Write name==version.")
    return re.sub(r"[-_.]+", "-", pin[1]).lower()
