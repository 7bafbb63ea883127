"""Companions: packages that programs import beside the framework, and the release of each that suits a stack.

``companions/packages.txt`` says which package holds a module; ``companions/releases.txt``, written by
``scripts/companions.py``, which release of it is of a stack's time and fits its pins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

COMPANIONS = Path(str(files("bugloss.stacks") / "companions"))
_NONE = "-"
# Packages of a stack that may be newer than what others ask for: they cap it, though its interface does not change.
LENIENT = ("fsspec",)
_FRAMEWORKS = ("jax", "jaxlib", "keras", "tensorflow", "tensorflow-cpu", "torch")


@dataclass(frozen=True, slots=True)
class Companion:
    """A module, the package that holds it, and whether bugloss puts a module of its own in its place.

    ``besides`` are packages that usual functions of it need and that it does not require.
    """

    module: str
    package: str
    is_stand_in: bool = False
    besides: tuple[str, ...] = ()


@cache
def packages() -> tuple[Companion, ...]:
    """Every module that is known."""
    rows = (row.split() for row in _rows("packages.txt"))
    return tuple(
        Companion(module, package, more == ["stand-in"], tuple(word[1:] for word in more if word.startswith("+")))
        for module, package, *more in rows
    )


@cache
def companion_of(module: str) -> Companion | None:
    """What is known of a module that a program imports."""
    return next((one for one in packages() if one.module == module), None)


def needed_by(module: str) -> Companion | None:
    """The package that a part of a framework needs besides, for a module with dots or a name in it."""
    parts = module.split(".")
    names = {".".join(parts[:length]) for length in range(2, len(parts) + 1)}
    return next((one for one in packages() if one.module in names), None)


def read_releases() -> dict[str, dict[str, str]]:
    """By package and stack, the release that suits."""
    head, *rows = [row.split() for row in _rows("releases.txt")] or [["package"]]
    return {package: dict(zip(head[1:], cells, strict=True)) for package, *cells in rows}


def release_for(package: str, stack: str) -> str | None:
    """The release of a companion for a stack; None where no wheel fits or none was looked for."""
    release = _releases().get(package, {}).get(stack, _NONE)
    return None if release == _NONE else release


@cache
def _releases() -> dict[str, dict[str, str]]:
    return read_releases()


def bounds_of(stack: str) -> Iterator[str]:
    """The newest release of every companion that a stack may get."""
    for package in sorted({one.package for one in packages()}):
        release = release_for(package, stack)
        if release is not None:
            yield f"{package}<={release}"


def without_other_frameworks(pins: Iterable[str]) -> Iterator[str]:
    """Constraints that nothing meets: a package that needs a framework that is not there would bring gigabytes."""
    present = {pin.partition("==")[0] for pin in pins}
    yield from (f"{name}<0" for name in _FRAMEWORKS if name not in present)


def lenient_pins(pins: Iterable[str]) -> Iterator[str]:
    """The pins that win against the caps of other packages."""
    yield from (pin for pin in pins if pin.partition("==")[0] in LENIENT)


def _rows(name: str) -> Iterator[str]:
    path = COMPANIONS / name
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return (line for line in text.splitlines() if line and not line.startswith("#"))
