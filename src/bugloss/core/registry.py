"""One door for plug-ins: packs found by entry point, each plug-in checked against its contract.

A distribution offers a *pack* under the entry-point group ``bugloss.packs``. A pack is a module with
``PLUGINS``, a mapping from group name to the plug-ins of that group. A contract is a Protocol; a
plug-in meets it when it has every member, and when its methods take the parameters by the same names.
One plug-in that does not fit is reported and never hides the others.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from bugloss.core.errors import BrokenPlugin, UnknownPlugin
from bugloss.core.suggestion import did_you_mean

ENTRY_POINT_GROUP = "bugloss.packs"

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Plugins(Generic[P], Mapping[str, P]):
    """The plug-ins of one group by name, and what was wrong with those that did not fit."""

    group: str
    found: Mapping[str, P]
    broken: tuple[BrokenPlugin, ...] = ()

    def __getitem__(self, name: str) -> P:
        try:
            return self.found[name]
        except KeyError:
            hint = did_you_mean(name, self.found)
            raise UnknownPlugin(f"no {self.group} plug-in is called '{name}'.", hint=hint) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


def load(group: str, contract: type[P]) -> Plugins[P]:
    """Every plug-in of a group that the installed packs offer."""
    found: dict[str, P] = {}
    broken: list[BrokenPlugin] = []
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
        try:
            offered = _offered(point, group)
        except BrokenPlugin as error:
            broken.append(error)
            continue
        for plugin in offered:
            name, fault = _examine(plugin, contract)
            if fault is None and name in found:
                fault = "has a name that another plug-in took first"
            if fault is None:
                found[name] = plugin
            else:
                broken.append(_broken(point, group, name, fault))
    return Plugins(group, found, tuple(broken))


def _offered(point: EntryPoint, group: str) -> tuple[Any, ...]:
    try:
        pack = point.load()
        return tuple(pack.PLUGINS.get(group, ()))
    except (Exception, SystemExit) as error:  # foreign code: what a pack does at import must not stop the rest
        raise _broken(point, group, "the whole pack", f"does not load: {type(error).__name__}: {error}") from error


def _examine(plugin: object, contract: type[object]) -> tuple[str, str | None]:
    """The plug-in's name, and its fault if it has one."""
    name = type(plugin).__name__
    try:
        name = str(getattr(plugin, "name", plugin))
        return name, _misfit(plugin, contract)
    except Exception as error:  # foreign code again: members may be computed, or no functions at all
        return name, f"cannot be examined: {type(error).__name__}: {error}"


def _misfit(plugin: object, contract: type[object]) -> str | None:
    """Why a plug-in does not meet the contract, or None when it does."""
    for member in sorted(_members(contract)):
        if not hasattr(plugin, member):
            return f"lacks '{member}' of {contract.__name__}"
        wanted = inspect.getattr_static(contract, member, None)
        if not inspect.isfunction(wanted):
            continue
        expected = list(inspect.signature(wanted).parameters)[1:]
        actual = list(inspect.signature(getattr(plugin, member)).parameters)
        if actual != expected:
            return f"has {member}({', '.join(actual)}) where {contract.__name__} says ({', '.join(expected)})"
    return None


def _members(contract: type[object]) -> set[str]:
    declared = {name for kind in contract.__mro__[:-1] for name in (*vars(kind), *inspect.get_annotations(kind))}
    return {name for name in declared if not name.startswith("_")}


def _broken(point: EntryPoint, group: str, name: str, fault: str) -> BrokenPlugin:
    distribution = point.dist.name if point.dist else "an unknown distribution"
    return BrokenPlugin(
        f"{group} plug-in '{name}' of {distribution} (pack '{point.name}') {fault}.",
        hint=f"Update or remove {distribution}.",
    )
