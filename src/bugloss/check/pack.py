"""The plug-ins that this room brings itself, as names (see ``core/pack.py``)."""

from __future__ import annotations

PLUGINS = {"rule": ["bugloss.check.rules.*"]}
