"""The plug-ins that this room brings itself, through the same door as everybody's."""

from __future__ import annotations

from bugloss.run.exporters import Conda, Docker, Requirements

PLUGINS = {"environment exporter": (Requirements(), Conda(), Docker())}
