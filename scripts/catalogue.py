"""Writes the API catalogues of ``bugloss check`` from installed releases: ``scripts/catalogue.py [--package NAME]``.

Each release is installed alone, walked by ``probes/introspect.py``, and deleted again; what the probe said is kept in
``~/.cache/bugloss-catalogue`` so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from catalogues.compaction import write_catalogue
from catalogues.introspection import collect, raw_answers
from catalogues.releases import ROOTS

TARGET = Path(__file__).resolve().parents[1] / "src" / "bugloss" / "check" / "catalogues"


def main() -> int:
    """Collects what is missing and writes the catalogues anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", action="append", choices=sorted(ROOTS), help="only this package (repeatable)")
    parser.add_argument("--raw", type=Path, default=Path("~/.cache/bugloss-catalogue").expanduser())
    parser.add_argument("--compact-only", action="store_true", help="introspect nothing, write what is there")
    options = parser.parse_args()
    packages = options.package or sorted(ROOTS)
    options.raw.mkdir(parents=True, exist_ok=True)
    if not options.compact_only:
        collect(options.raw, packages)
    for package in packages:
        path = TARGET / f"{package}.txt.gz"
        lines = write_catalogue(path, raw_answers(options.raw, package), package)
        print(f"{path.name}: {lines} names, {path.stat().st_size // 1024} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
