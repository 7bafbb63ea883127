"""What to write instead of a name or parameter that a release no longer has: the table in our own words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, lru_cache

from bugloss.check.releases.catalogue import FOLDER, NameState, entry, releases, resolve, same_name_elsewhere
from bugloss.check.releases.requirement import parse_version


@dataclass(frozen=True, slots=True)
class Replacement:
    """One line of the table. ``how``: same, differs, none, or default for a parameter whose default changed."""

    old: str
    parameter: str
    new: str
    deprecated: str
    removed: str
    how: str
    note: str

    def is_removed(self, version: str) -> bool:
        """Whether the table says that the release no longer has it."""
        return bool(self.removed) and parse_version(self.removed) <= parse_version(version)

    def is_deprecated(self, version: str) -> bool:
        """Whether the table says that the release has it, but calls it outdated."""
        old = bool(self.deprecated) and parse_version(self.deprecated) <= parse_version(version)
        return old and not self.is_removed(version)


@cache
def table(package: str) -> dict[str, tuple[Replacement, ...]]:
    """The lines of a package by their old name; the parameters of a name come after it."""
    path = FOLDER / f"replacements-{package}.txt"
    found: dict[str, list[Replacement]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if line and not line.startswith("#"):
            old, *rest = [cell.strip() for cell in line.split("|")]
            name, _, parameter = old.partition("(")
            found.setdefault(name, []).append(Replacement(name, parameter.removesuffix(")"), *rest))
    return {name: tuple(lines) for name, lines in found.items()}


@cache
def _patterns(package: str) -> tuple[Replacement, ...]:
    return tuple(line for name, lines in table(package).items() if "*" in name for line in lines)


@lru_cache(maxsize=8192)
def of_parameters(package: str, symbol: str) -> tuple[Replacement, ...]:
    """What the table says of the parameters of a function or class."""
    exact = [line for line in table(package).get(symbol, ()) if line.parameter]
    return (*exact, *(line for line in _patterns(package) if _fits(line.old, symbol)))


def _fits(pattern: str, symbol: str) -> bool:
    return pattern.count(".") == symbol.count(".") and fnmatchcase(symbol, pattern)


def replacement(package: str, symbol: str, version: str) -> Replacement | None:
    """What takes the place of a name in a release: by the table, with its module, or by its own name."""
    found = by_table(package, symbol)
    if found is not None:
        return found if not found.new or is_offered(found.new, version) else replace(found, new="", how="none")
    for guess in (_moved_with_its_module(package, symbol), _compatible(symbol)):
        if guess is not None and is_offered(guess.new, version):
            return guess
    return _elsewhere(package, symbol, version)


def by_table(package: str, symbol: str) -> Replacement | None:
    """What the table says of a name; that of Keras counts for tf.keras too."""
    for line in table(package).get(symbol, ()):
        if not line.parameter:
            return line
    if package == "tensorflow" and symbol.startswith("tensorflow.keras."):
        line_of_keras = by_table("keras", symbol.removeprefix("tensorflow."))
        if line_of_keras is not None:
            new = line_of_keras.new
            within = f"tensorflow.{new}" if new.startswith("keras.") else new
            # The releases are Keras's: only the catalogue knows those of TensorFlow.
            return replace(line_of_keras, old=symbol, new=within, deprecated="", removed="")
    return None


def _moved_with_its_module(package: str, symbol: str) -> Replacement | None:
    owner, _, tail = symbol.rpartition(".")
    line = by_table(package, owner) if "." in owner else None
    if line is None or line.how != "same" or not line.new:
        return None
    return replace(line, old=symbol, new=f"{line.new}.{tail}")


def _compatible(symbol: str) -> Replacement | None:
    parts = symbol.split(".")
    if parts[0] != "tensorflow" or parts[1] in {"compat", "keras", "python"}:
        return None
    new = ".".join(("tensorflow.compat.v1", *parts[1:]))
    return Replacement(symbol, "", new, "", "", "differs", "")


def _elsewhere(package: str, symbol: str, version: str) -> Replacement | None:
    new = same_name_elsewhere(package, symbol, version)
    return None if new is None else Replacement(symbol, "", new, "", "", "differs", "")


def is_offered(symbol: str, version: str) -> bool:
    """Whether a release has the name; names of other packages count as there."""
    package = symbol.lstrip("-").split(".")[0]
    if "." not in symbol or not releases(package):
        return True
    name = symbol.lstrip("-")
    return entry(package, name) is not None and resolve(package, name, version).state is NameState.PRESENT
