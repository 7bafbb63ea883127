"""The plug-ins that this room brings itself, as names (see ``core/pack.py``)."""

from __future__ import annotations

_EXPORTERS = "bugloss.run.exporters"

PLUGINS = {
    "environment exporter": {
        "requirements": f"{_EXPORTERS}:Requirements",
        "conda": f"{_EXPORTERS}:Conda",
        "docker": f"{_EXPORTERS}:Docker",
    }
}
