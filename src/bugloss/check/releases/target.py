"""Which releases a program is checked against: those requested, else those its project pins.

``parse_target`` reads the option; ``pins_near`` reads requirements files, ``pyproject.toml``, ``setup.cfg`` and conda
environments at or above a file, as far as they say anything about the libraries that have a catalogue.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bugloss.check.releases.catalogue import releases
from bugloss.check.releases.requirement import Requirement, Version, parse_requirement, parse_version
from bugloss.core.documents import parse_toml
from bugloss.core.errors import FileRefused, InvalidInput
from bugloss.core.foreign_file import read_text

CATALOGUED = ("keras", "numpy", "tensorflow", "torch")
_PACKAGE = {"tensorflow-cpu": "tensorflow", "tensorflow-gpu": "tensorflow", "tf": "tensorflow", "pytorch": "torch"}
_LEVELS = 5
_DASH_ITEM = re.compile(r"^[^\S\n]*+-\s*+[\"']?([^\"'#\s][^\"'#\n]*)", re.MULTILINE)


def parse_target(text: str) -> dict[str, str]:
    """``torch==2.13,keras==3.15`` as a dict; a package without a version is the caller's mistake."""
    target: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, separator, version = part.partition("==")
        if not separator or not parse_version(version.strip()):
            raise InvalidInput(
                f"'{part}' is not a release to check against.",
                hint="Example: --target torch==2.13,keras==3.15",
            )
        target[_package(name.strip())] = version.strip()
    return with_companions(target) if target else {}


def pins_near(path: Path) -> dict[str, str]:
    """The releases that the project of a file pins, nearest file first."""
    return _pins_of_folder(path.resolve().parent) if path.is_file() else {}


@lru_cache(maxsize=1024)
def _pins_of_folder(folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for place in (folder, *folder.parents)[:_LEVELS]:
        pins = _pins_in(place)
        found = {**pins.releases, **found}
        if pins.is_repository:
            break
    return with_companions(found) if found else {}


@dataclass(frozen=True, slots=True)
class _Pins:
    """What the files of one folder pin, and whether a repository begins there."""

    releases: dict[str, str]
    is_repository: bool


@lru_cache(maxsize=1024)
def _pins_in(place: Path) -> _Pins:
    """Read once for all folders below."""
    found: dict[str, str] = {}
    for requirement in _requirements_in(place):
        package = _package(requirement.name)
        version = _chosen(package, requirement)
        if version is not None:
            found.setdefault(package, version)
    return _Pins(found, (place / ".git").exists())


def forget_pins() -> None:
    """Reads the files of projects again when they are next asked for."""
    _pins_of_folder.cache_clear()
    _pins_in.cache_clear()


def _package(name: str) -> str:
    plain = name.lower().replace("_", "-")
    return _PACKAGE.get(plain, plain)


def _chosen(package: str, requirement: Requirement) -> str | None:
    """The exact pin, or the newest catalogued release that the range admits."""
    if package not in CATALOGUED or not requirement.clauses:
        return None
    if requirement.exact:
        return requirement.exact
    admitted = requirement.admitted(releases(package))
    return admitted[-1] if admitted else requirement.bound


def with_companions(pins: dict[str, str]) -> dict[str, str]:
    """Adds what a pin says of its companions: TensorFlow 2.6 to 2.15 bring the Keras of the same number."""
    completed = dict(pins)
    tensorflow, keras = parse_version(pins.get("tensorflow", "")), parse_version(pins.get("keras", ""))
    if tensorflow and not keras:
        completed |= {"keras": version} if (version := _keras_beside(tensorflow)) else {}
    elif keras and not tensorflow:
        completed |= {"tensorflow": version} if (version := _tensorflow_beside(keras)) else {}
    if "numpy" not in pins and (version := _numpy_beside(tensorflow, parse_version(pins.get("torch", "")))):
        completed["numpy"] = version
    return completed


def _keras_beside(tensorflow: Version) -> str | None:
    if tensorflow >= (2, 16):
        return None
    if tensorflow >= (2, 6):
        return f"2.{tensorflow[1]}"
    return (
        "2.4" if tensorflow >= (2, 3) else "2.3" if tensorflow >= (1, 14) else "2.2" if tensorflow >= (1, 8) else "2.1"
    )


def _tensorflow_beside(keras: Version) -> str | None:
    if keras >= (3,):
        return None
    return "1.15" if keras < (2, 4) else "2.3" if keras < (2, 6) else f"2.{keras[1]}"


def _numpy_beside(tensorflow: Version, torch: Version) -> str | None:
    """Releases built for NumPy 1 do not run with NumPy 2, and the oldest came before np.float was removed."""
    if (tensorflow and tensorflow < (2, 12)) or (torch and torch < (1, 13)):
        return "1.19"
    return "1.26" if (tensorflow and tensorflow < (2, 18)) or (torch and torch < (2, 3)) else None


def _requirements_in(folder: Path) -> Iterator[Requirement]:
    for file in sorted((*folder.glob("requirements*.txt"), *folder.glob("requirements/*.txt"))):
        yield from _each(_text(folder, file).splitlines())
    yield from _each(_of_pyproject(_text(folder, folder / "pyproject.toml")))
    yield from _each(_of_setup(_text(folder, folder / "setup.cfg")))
    for file in sorted((*folder.glob("environment*.y*ml"), *folder.glob("conda*.y*ml"))):
        yield from _each(_DASH_ITEM.findall(_text(folder, file)))


def _each(lines: list[str]) -> Iterator[Requirement]:
    return (requirement for line in lines if (requirement := parse_requirement(line)) is not None)


def _of_pyproject(text: str) -> list[str]:
    try:
        data: dict[str, Any] = parse_toml(text)
        project = data.get("project", {})
        lines = [*project.get("dependencies", ())]
        for extra in project.get("optional-dependencies", {}).values():
            lines += extra
        for name, wanted in data.get("tool", {}).get("poetry", {}).get("dependencies", {}).items():
            version = wanted if isinstance(wanted, str) else str(wanted.get("version", ""))
            lines.append(f"{name}{version}" if version[:1] in "=<>!~^" else f"{name}=={version}")
    except (ValueError, AttributeError, TypeError):
        return []  # whoever reads the project's settings says what is wrong with the file
    return [line for line in lines if isinstance(line, str)]


def _of_setup(text: str) -> list[str]:
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
        return parser.get("options", "install_requires", fallback="").splitlines()
    except configparser.Error:
        return []


def _text(folder: Path, path: Path) -> str:
    """A file of the project; what a link brings in from elsewhere pins nothing."""
    try:
        return read_text(folder, path.relative_to(folder).as_posix(), errors="replace")
    except FileRefused:
        return ""
