"""The plug-ins that this room brings itself, as names (see ``core/pack.py``)."""

from __future__ import annotations

PLUGINS = {"fix-pattern": ["bugloss.repair.patterns.*"]}
