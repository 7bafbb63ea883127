"""What the training scripts share: their arguments, and how learned numbers are written."""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def read_options(description: str | None, model: Path) -> argparse.Namespace:
    """The folders of reports, repositories and what is kept; the file to write is ``model`` unless one is named."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with the reports")
    parser.add_argument("repositories", type=Path, help="the folder with the repositories")
    parser.add_argument("--cache", type=Path, required=True, help="a folder for what is worked out on the way")
    parser.add_argument("-o", "--output", type=Path, default=model)
    return parser.parse_args()


def write_json(path: Path, model: Mapping[str, Any]) -> None:
    """The same bytes for the same numbers."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(model, separators=(",", ":")).encode(), 9, mtime=0))


def tell(path: Path, reports: str) -> None:
    """What was made of what."""
    print(f"{path}: {reports}, {path.stat().st_size / 1000:.0f} kB")
