"""The package's own files, parsed once for all architecture tests."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "bugloss"


@cache
def trees() -> Mapping[str, ast.Module]:
    """Every module by its path below the package; the template of a new bug is none."""
    names = (path.relative_to(SOURCE).as_posix() for path in sorted(SOURCE.rglob("*.py")))
    return {name: ast.parse((SOURCE / name).read_text()) for name in names if "/template/" not in name}
