"""One door for plug-ins: found in packs group by group, loaded on request, checked against their contract.

A contract is a Protocol or a base class; a plug-in meets it when it has every member, and when its methods take the
parameters by the same names. One plug-in that does not fit is reported and never hides the others. Ours come first.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Generic, TypeVar

from bugloss.core.errors import BrokenPlugin, UnknownPlugin
from bugloss.core.installed_packs import our_packs, packs_of_others
from bugloss.core.pack import Offer, Pack
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.suggestion import did_you_mean

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Plugins(Generic[P], Mapping[str, P]):
    """The plug-ins of one group by name, and what was wrong with those that did not fit."""

    group: PluginGroup
    found: Mapping[str, P]
    broken: tuple[BrokenPlugin, ...] = ()

    def __getitem__(self, name: str) -> P:
        try:
            return self.found[name]
        except KeyError:
            raise _unknown(self.group, name, self.found) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


def load(group: PluginGroup | str, contract: type[P]) -> Plugins[P]:
    """Every plug-in of a group that the installed packs offer."""
    search = _Search(_group(group), contract)
    search.read(search.offers(chain(our_packs(), packs_of_others())))
    return Plugins(search.group, search.found, tuple(search.broken))


def find(group: PluginGroup | str, contract: type[P], name: str) -> P:
    """One plug-in by name; those that a pack offers under other names are not loaded."""
    search, known = _Search(_group(group), contract), list[str]()
    for packs in (our_packs(), packs_of_others()):
        offers = list(search.offers(packs))
        search.read([(pack, offer) for pack, offer in offers if offer.name in {name, ""}])
        if name in search.found:
            return search.found[name]
        known += [offer.name for _, offer in offers if offer.name]
    for error in search.broken:
        if error.plugin == name:
            raise error
    raise _unknown(search.group, name, [*known, *search.found])


def _group(group: PluginGroup | str) -> PluginGroup:
    return group if isinstance(group, PluginGroup) else PluginGroup.called(group)


def _unknown(group: PluginGroup, name: str, known: Iterable[str]) -> UnknownPlugin:
    return UnknownPlugin(f"there is no {group.value} called '{name}'.", hint=did_you_mean(name, known))


@dataclass(frozen=True, slots=True)
class _Search(Generic[P]):
    """What was found of a group so far, and what was wrong with the rest."""

    group: PluginGroup
    contract: type[P]
    found: dict[str, P] = field(default_factory=dict)
    broken: list[BrokenPlugin] = field(default_factory=list)

    def offers(self, packs: Iterable[Pack]) -> Iterator[tuple[Pack, Offer]]:
        """What the packs offer; those that do not load are noted."""
        for pack in packs:
            try:
                self._note_unknown_groups(pack)
                yield from [(pack, offer) for offer in pack.offers(self.group)]
            except (Exception, SystemExit) as error:  # foreign code: what a pack does at import must not stop the rest
                self._note(pack, f"the pack '{pack.name}' of {pack.distribution} {_does_not_load(error)}.")

    def read(self, offers: Iterable[tuple[Pack, Offer]]) -> None:
        """Loads what is offered; keeps what meets the contract."""
        for pack, offer in offers:
            try:
                plugins = offer.load(self.contract)
            except (Exception, SystemExit) as error:  # foreign code again
                self._note_plugin(pack, offer.label, _does_not_load(error))
                continue
            for plugin in plugins:
                self._keep(pack, offer, plugin)

    def _keep(self, pack: Pack, offer: Offer, plugin: object) -> None:
        name, fault = _examine(plugin, self.contract)
        if fault is None and offer.name not in {"", name}:
            fault = f"has the name '{name}'"
            name = offer.name
        if fault is None and name in self.found:
            fault = "has the name of another plug-in"
        if fault is None:
            self.found[name] = plugin  # type: ignore[assignment] # just examined
        else:
            self._note_plugin(pack, name, fault)

    def _note_plugin(self, pack: Pack, name: str, fault: str) -> None:
        where = f"of {pack.distribution} (pack '{pack.name}')"
        self._note(pack, f"{self.group.value} plug-in '{name}' {where} {fault}.", name)

    def _note_unknown_groups(self, pack: Pack) -> None:
        for error in pack.unknown_groups():
            self._note(pack, f"the pack '{pack.name}' of {pack.distribution}: {error.message} {error.hint}".rstrip())

    def _note(self, pack: Pack, message: str, name: str = "") -> None:
        hint = f"Update or remove {pack.distribution}."
        self.broken.append(BrokenPlugin(message, hint=hint, plugin=name))


def _does_not_load(error: BaseException) -> str:
    return f"does not load: {type(error).__name__}: {error}"


def _examine(plugin: object, contract: type[object]) -> tuple[str, str | None]:
    """The plug-in's name, and its fault if it has one."""
    name = type(plugin).__name__
    try:
        name = str(getattr(plugin, "name", plugin))
        return name, _misfit(plugin, contract)
    except Exception as error:  # foreign code again: members may be computed, or not functions at all
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
            return f"has {member}({', '.join(actual)}) where {contract.__name__} has ({', '.join(expected)})"
    return None


def _members(contract: type[object]) -> set[str]:
    declared = {name for kind in contract.__mro__[:-1] for name in (*vars(kind), *inspect.get_annotations(kind))}
    return {name for name in declared if not name.startswith("_")}
