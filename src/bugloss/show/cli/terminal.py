"""Whether standard output is a terminal that wants colours."""

from __future__ import annotations

import os
import sys


def coloured() -> bool:
    """Colours on a terminal, unless NO_COLOR is set; anywhere when FORCE_COLOR is."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()
