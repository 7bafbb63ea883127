"""Packs: modules whose ``PLUGINS`` say which plug-ins a distribution offers, group by group.

A pack names plug-ins instead of importing them, so that asking for one group imports no other::

    PLUGINS = {
        "detector": ["my_pack.detectors.*"],                    # every module of a package
        "rule": ["my_pack.rules.unseeded_split"],               # one module
        "environment exporter": ["my_pack.nix:NixFlake"],       # one class, or one finished plug-in
        "technique": {"tf-idf": "my_pack.tf_idf:TfIdf"},        # by name: asking for this one imports no other one
    }

A module brings what its own ``PLUGINS`` lists, or else every concrete class that it defines on the contract of the
group. The lists may also contain finished plug-ins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from typing import Any

from bugloss.core.errors import UnknownPlugin
from bugloss.core.plugin_group import PluginGroup


@dataclass(frozen=True, slots=True)
class Pack:
    """A module that offers plug-ins, and the distribution that it belongs to."""

    name: str
    module: str
    distribution: str

    def offers(self, group: PluginGroup) -> Iterator[Offer]:
        """What the pack says about a group; loads nothing but the pack itself."""
        listed = import_module(self.module).PLUGINS.get(group.value, ())
        if isinstance(listed, Mapping):
            yield from (Offer(place, str(name)) for name, place in listed.items())
        elif isinstance(listed, str):
            raise TypeError(f"'{group.value}' must be a list of plug-ins, not a string")
        else:
            yield from (offer for entry in listed for offer in _offers_of(entry))

    def unknown_groups(self) -> Iterator[UnknownPlugin]:
        """What is wrong with the keys of ``PLUGINS``."""
        for name in import_module(self.module).PLUGINS:
            try:
                PluginGroup.called(name)
            except UnknownPlugin as error:
                yield error


@dataclass(frozen=True, slots=True)
class Offer:
    """A plug-in, or the place where one or several are found; ``name`` where it is known before loading."""

    entry: Any
    name: str = ""

    @property
    def label(self) -> str:
        """What the offer is called until a plug-in says its own name."""
        return self.name or (self.entry if isinstance(self.entry, str) else type(self.entry).__name__)

    def load(self, contract: type[object]) -> list[object]:
        """The plug-ins themselves; raises whatever the module raises."""
        if not isinstance(self.entry, str):
            return [self.entry]
        place, _, member = self.entry.partition(":")
        module = import_module(place)
        if member:
            found = getattr(module, member)
            return [found() if isinstance(found, type) else found]
        if hasattr(module, "PLUGINS"):
            return list(module.PLUGINS)
        return [kind() for kind in vars(module).values() if _is_defined_in(module.__name__, kind, contract)]


def _offers_of(entry: object) -> Iterator[Offer]:
    if isinstance(entry, str) and entry.endswith(".*"):
        package = entry.removesuffix(".*")
        modules = iter_modules(import_module(package).__path__)
        yield from (Offer(f"{package}.{module.name}") for module in modules)
    else:
        yield Offer(entry)


def _is_defined_in(module: str, kind: object, contract: type[object]) -> bool:
    """A plug-in that the module defines itself: not one that it imports, nor a base class."""
    return (
        isinstance(kind, type)
        and contract in kind.__mro__
        and not isabstract(kind)
        and not kind.__name__.startswith("_")
        and kind.__module__ == module
    )
