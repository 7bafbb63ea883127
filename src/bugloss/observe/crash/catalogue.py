"""All patterns in the order in which they are tried: special messages before general ones, ours before others'."""

from __future__ import annotations

from functools import cache

from bugloss.core.errors import BrokenPlugin
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import Plugins, load
from bugloss.observe.crash.contract import CrashFamily, Pattern


@cache
def families() -> Plugins[CrashFamily]:
    """Every family that the installed packs offer."""
    return load(PluginGroup.CRASH_FAMILY, CrashFamily)


@cache
def patterns() -> tuple[Pattern, ...]:
    """Every pattern of every family."""
    return tuple(pattern for family in families().values() for pattern in family.patterns)


def broken_families() -> tuple[BrokenPlugin, ...]:
    """What is wrong with the families that could not be used."""
    return families().broken
