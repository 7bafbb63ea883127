"""What bugloss can be extended by: the groups under which a pack offers its plug-ins."""

from __future__ import annotations

from enum import Enum

from bugloss.core.errors import UnknownPlugin
from bugloss.core.suggestion import did_you_mean


class PluginGroup(Enum):
    """A kind of plug-in; the value is the key in the ``PLUGINS`` of a pack."""

    RULE = "rule"
    DETECTOR = "detector"
    FAULT = "fault"
    CRASH_FAMILY = "crash-family"
    TOOL = "tool"
    EDIT_ACTION = "edit-action"
    TECHNIQUE = "technique"
    EXPORTER = "environment exporter"
    FIX_PATTERN = "fix-pattern"

    @classmethod
    def called(cls, name: str) -> PluginGroup:
        """The group of that name."""
        try:
            return cls(name)
        except ValueError:
            hint = did_you_mean(str(name), [group.value for group in cls])
            raise UnknownPlugin(f"there is no plug-in group '{name}'.", hint=hint) from None
