"""The plug-ins that this room brings itself: the detectors of ``detectors/`` and the tools of ``tools/``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules


@dataclass(frozen=True, slots=True)
class _Groups(Mapping[str, tuple[object, ...]]):
    """Plug-ins by group, loaded when the group is asked for: every pack is opened to find the plug-ins of any group."""

    sources: Mapping[str, Callable[[], tuple[object, ...]]]

    def __getitem__(self, group: str) -> tuple[object, ...]:
        return self.sources[group]()

    def __iter__(self) -> Iterator[str]:
        return iter(self.sources)

    def __len__(self) -> int:
        return len(self.sources)


def _detectors() -> tuple[object, ...]:
    from bugloss.observe import detectors
    from bugloss.observe.contract import Detector

    return _defined_in(detectors.__name__, list(detectors.__path__), Detector)


def _tools() -> tuple[object, ...]:
    from bugloss.observe import tools
    from bugloss.observe.tools.contract import Tool

    return _defined_in(tools.__name__, list(tools.__path__), Tool)


def _faults() -> tuple[object, ...]:
    from bugloss.observe import causes

    found: list[object] = []
    for module in iter_modules(causes.__path__):
        found += import_module(f"{causes.__name__}.{module.name}").FAULTS
    return tuple(found)


def _defined_in(package: str, path: list[str], contract: type) -> tuple[object, ...]:
    found: list[object] = []
    for module in iter_modules(path):
        try:
            members = vars(import_module(f"{package}.{module.name}")).values()
            found += [kind() for kind in members if _meets(kind, contract, f"{package}.{module.name}")]
        except Exception as error:  # one broken plug-in must not hide the rest: the registry reports what it cannot use
            found.append(error)
    return tuple(found)


def _meets(kind: object, contract: type, module: str) -> bool:
    """A plug-in that the module defines itself, not one that it imports, nor the contract."""
    return isinstance(kind, type) and issubclass(kind, contract) and not isabstract(kind) and kind.__module__ == module


PLUGINS = _Groups({"detector": _detectors, "fault": _faults, "tool": _tools})
