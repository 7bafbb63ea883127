"""The isolation levels that work on this machine."""

from __future__ import annotations

import pytest

LEVELS = [pytest.param("bubblewrap", marks=pytest.mark.bubblewrap), "namespaces", "limits"]
