"""The edit actions that this room brings itself: every ``Action`` that a module of ``actions/`` defines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules


def _actions() -> tuple[object, ...]:
    from bugloss.reproduce import actions
    from bugloss.reproduce.contract import Action

    found: list[object] = []
    for module in iter_modules(actions.__path__):
        name = f"{actions.__name__}.{module.name}"
        try:
            members = list(vars(import_module(name)).values())
        except Exception as error:  # one broken action must not hide the rest: the registry reports what it cannot use
            found.append(error)
            continue
        kinds = [kind for kind in members if isinstance(kind, type) and issubclass(kind, Action)]
        found += [kind() for kind in kinds if not isabstract(kind) and kind.__module__ == name]
    return tuple(found)


class _Groups(Mapping[str, tuple[object, ...]]):
    """The one group, loaded when it is asked for: every pack is opened to find the plug-ins of any group."""

    def __getitem__(self, group: str) -> tuple[object, ...]:
        if group != "edit-action":
            raise KeyError(group)
        return _actions()

    def __iter__(self) -> Iterator[str]:
        return iter(("edit-action",))

    def __len__(self) -> int:
        return 1


PLUGINS = _Groups()
