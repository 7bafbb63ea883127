"""Names in a program that the release it is checked against no longer has."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from bugloss.check.releases.api_use import ApiUse, api_uses
from bugloss.check.releases.catalogue import NameState, entry, releases, resolve
from bugloss.check.releases.replacement import Replacement, replacement, table
from bugloss.check.releases.requirement import parse_version
from bugloss.check.releases.target import with_companions
from bugloss.source.program import Program
from bugloss.source.values.values import Model, Operation, Tensor

TITLES = {"keras": "Keras", "numpy": "NumPy", "tensorflow": "TensorFlow", "torch": "PyTorch"}
_KERAS3_IN_TENSORFLOW = (2, 16)
# So much Keras's own that an unknown receiver may be taken for a model.
_TELLING_METHODS = {"fit_generator", "evaluate_generator", "predict_generator", "predict_classes"}


@dataclass(frozen=True, slots=True)
class Release:
    """The release that a package is checked against; not ``known`` means: the newest, for want of a pin."""

    package: str
    version: str
    known: bool

    @property
    def title(self) -> str:
        return f"{TITLES[self.package]} {self.version}"


@dataclass(slots=True)
class Removal:
    """A name that is gone, with every place that uses it."""

    name: str
    release: Release
    last: str  # the last release that had it, as far as known
    instead: Replacement | None
    nodes: list[ast.AST] = field(default_factory=list)
    uses: list[ApiUse] = field(default_factory=list)
    certain: bool = True  # the release is known, or no release at all has everything that the file uses

    @property
    def when(self) -> str:
        """Since when it is gone, in words."""
        if self.instead is not None and self.instead.removed:
            return f"was removed in {TITLES[self.release.package]} {self.instead.removed}"
        return f"was removed before {self.release.title} ({self.last} still has it)"


def release_of(program: Program, package: str) -> Release:
    """The release to check a package against: the target's, else the newest that is catalogued."""
    return _release_in(frozenset(program.target.items()), package)


@lru_cache(maxsize=256)
def _release_in(pins: frozenset[tuple[str, str]], package: str) -> Release:
    target = with_companions(dict(pins)) if pins else {}
    if package in target:
        return Release(package, target[package], True)
    newest = releases(package)[-1] if releases(package) else "0"
    # A TensorFlow that brings Keras 3 says which Keras it is, though not its number.
    implied = package == "keras" and parse_version(target.get("tensorflow", "0")) >= _KERAS3_IN_TENSORFLOW
    return Release(package, newest, implied)


def keras_release_of(program: Program, symbol: str) -> Release:
    """The Keras behind a name of ``keras`` or ``tensorflow.keras``."""
    if not symbol.startswith("tensorflow."):
        return release_of(program, "keras")
    tensorflow = release_of(program, "tensorflow")
    version = parse_version(tensorflow.version)
    if version >= _KERAS3_IN_TENSORFLOW:
        return Release("keras", releases("keras")[-1], tensorflow.known)
    # tf.keras never took the arguments of Keras 1, whatever its number.
    return Release("keras", f"2.{max(4, version[1])}" if version >= (2,) else "2.4", tensorflow.known)


def removals(program: Program) -> Sequence[Removal]:
    """Each removed name once, in the order of the file."""
    return program.remembered(_find_removals)


def _find_removals(program: Program) -> Sequence[Removal]:
    found: dict[str, Removal] = {}
    for use in api_uses(program).all:
        release = release_of(program, use.package)
        removal = _removal(use.symbol, release)
        if removal is not None:
            known = found.setdefault(removal.name, removal)
            known.uses.append(use)
            known.nodes.append(_part(use, removal.name))
    for method in _methods(program):
        known = found.setdefault(method.name, Removal(method.name, method.release, "", method.instead))
        known.nodes += method.nodes
    found = {name: removal for name, removal in found.items() if not _comes_with_an_import(removal, found)}
    for removal in found.values():
        removal.certain = removal.release.known or not _some_release_has_all(program, removal.release.package)
    return sorted(found.values(), key=lambda removal: program.span(removal.nodes[0]))


def _comes_with_an_import(removal: Removal, found: dict[str, Removal]) -> bool:
    """Whether the name hangs on a module whose import is already reported."""
    parts = removal.name.split(".")
    owners = [found.get(".".join(parts[:length])) for length in range(2, len(parts))]
    imported = any(owner is not None and any(use.statement for use in owner.uses) for owner in owners)
    return imported and not any(use.statement for use in removal.uses)


def _some_release_has_all(program: Program, package: str) -> bool:
    """Whether the names that a file uses may ever have been together in one release, sampled or between two samples."""
    possible = set(range(2 * len(releases(package)) - 1))  # odd places stand for the releases between two samples
    for use in api_uses(program).of(package):
        known = entry(package, use.symbol)
        if known is not None:
            possible &= {2 * place + near for place in known.present for near in (-1, 0, 1)}
    between = {2 * place + 1 for place in range(len(releases(package)) - 1) if not _adjacent(package, place)}
    return any(place % 2 == 0 or place in between for place in possible)


def _adjacent(package: str, place: int) -> bool:
    """Whether no release is between a sample and the next."""
    (major, minor), (next_major, next_minor) = (parse_version(one)[:2] for one in releases(package)[place : place + 2])
    return next_minor == (minor + 1 if next_major == major else 0)


def _removal(symbol: str, release: Release) -> Removal | None:
    resolution = resolve(release.package, symbol, release.version)
    if resolution.state is NameState.REMOVED:
        instead = replacement(release.package, symbol, release.version)
        if instead is not None and (instead.new or instead.note):
            return Removal(_reported_name(symbol, resolution.name), release, resolution.last, instead)
        whole = _removed_whole(release, resolution.name)
        return Removal(whole, release, resolution.last, replacement(release.package, whole, release.version))
    if resolution.state is NameState.UNKNOWN:
        return _removal_by_table(symbol, release)
    return None


def _removed_whole(release: Release, name: str) -> str:
    """The outermost part that is gone with the name: ``tf.estimator`` says more than each of its classes."""
    parts = name.split(".")
    for length in range(2, len(parts)):
        outer = resolve(release.package, ".".join(parts[:length]), release.version)
        if outer.state is NameState.REMOVED:
            return outer.name
    return name


def _reported_name(symbol: str, removed: str) -> str:
    """The name as used, but not what hangs on a removed class or function."""
    rest = symbol.removeprefix(removed).strip(".").split(".")
    return symbol if len(rest) <= 1 and not removed.rsplit(".", 1)[-1][0].isupper() else removed


def _removal_by_table(symbol: str, release: Release) -> Removal | None:
    """Names that no catalogue lists, because they are private or were gone before its oldest release."""
    parts = symbol.split(".")
    for length in range(len(parts), 1, -1):
        for line in table(release.package).get(".".join(parts[:length]), ()):
            if not line.parameter:
                return Removal(line.old, release, "", line) if line.is_removed(release.version) else None
    return None


def _part(use: ApiUse, name: str) -> ast.AST:
    """The part of an attribute chain that spells the removed name itself."""
    node = use.node
    for _ in range(use.symbol.count(".") - name.count(".")):
        node = node.value if isinstance(node, ast.Attribute) else node
    return node


def _methods(program: Program) -> Iterator[Removal]:
    """Calls of methods that are gone: of Keras models and of PyTorch tensors."""
    for owner, package in (("keras.Model", "keras"), ("torch.Tensor", "torch")):
        lines = [line for line in _lines_of(package, owner) if not line.parameter]
        methods = {line.old.rsplit(".", 1)[-1]: line for line in lines}
        if package not in program.frameworks or not program.mentions(methods):
            continue
        for operation in program.methods(*methods):
            line = methods[operation.name.rsplit(".", 1)[-1]]
            release = _release_of_receiver(program, operation, package)
            if release is not None and line.is_removed(release.version) and isinstance(operation.node, ast.Call):
                yield Removal(line.old, release, "", line, [operation.node.func])


def _lines_of(package: str, owner: str) -> list[Replacement]:
    return [line for name, lines in table(package).items() if name.startswith(f"{owner}.") for line in lines]


def _release_of_receiver(program: Program, operation: Operation, package: str) -> Release | None:
    """The release behind a receiver; None when it may be something else or a class of the file defines the method."""
    method = operation.name.rsplit(".", 1)[-1]
    if package in api_uses(program).version_aware or api_uses(program).guarded(operation.node):
        return None
    if any(getattr(node, "name", "") == method for node in program.nodes[ast.FunctionDef]):
        return None
    if package == "torch":
        is_tensor = isinstance(operation.receiver, Tensor) and operation.name == f"Tensor.{method}"
        return release_of(program, "torch") if is_tensor and program.frameworks == {"torch"} else None
    is_model = isinstance(operation.receiver, Model) and operation.receiver.framework == "keras"
    if not is_model and not (operation.name == f"?.{method}" and method in _TELLING_METHODS):
        return None
    plain = "keras" in program.names.roots
    return keras_release_of(program, "keras" if plain else "tensorflow.keras")


def is_tensorflow1(removal: Removal) -> bool:
    """Whether TensorFlow 2 took the name away."""
    if removal.release.package != "tensorflow" or removal.name.startswith("tensorflow.keras."):
        return False
    by_table = removal.instead is not None and removal.instead.removed == "2.0"
    went_before_2 = by_table or parse_version(removal.last or "1") < (2,)
    return went_before_2 and parse_version(removal.release.version) >= (2,)


def is_keras3(removal: Removal) -> bool:
    """Whether it is a name of Keras that is missing from Keras 3."""
    version = parse_version(removal.release.version)
    if removal.release.package == "keras":
        return version >= (3,)
    return removal.name.startswith("tensorflow.keras.") and version >= (2, 16)
