"""Makes the classifier of triage from labelled reports::

    uv venv /tmp/triage-venv --python 3.11
    uv pip install --python /tmp/triage-venv/bin/python -e '.[studies]'
    /tmp/triage-venv/bin/python scripts/train_triage.py DATA

``DATA`` holds the folders ``so_bug_types``, ``localization_labels`` and ``denchmark``. The texts are read and not kept:
what is written are words with their weights. What is chosen (parts for origins, how much our own labels count there,
favoured labels, temperatures) is chosen here, by cross-validation. How good a head made in this way is, is measured by
``python -m bench triage``: it does the same inside every fold.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).parent))
from triaging.material import Material

from bugloss.triage.head_file import FOLDER, SUFFIX, pack


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with the labelled reports")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER, help="a folder for the heads")
    options = parser.parse_args()
    material = Material.read(options.data)
    print(
        f"{material.maybe_held_back} issues left out that the study may hold back, {material.repeats} that repeat them"
    )
    options.output.mkdir(parents=True, exist_ok=True)
    for name, head in material.heads().items():
        content = pack(head)
        (options.output / f"{name}{SUFFIX}").write_bytes(content)
        parts = ", ".join(f"{part.share:g}×{'+'.join(group.name for group in part.groups)}" for part in head.parts)
        print(f"{name}: {len(content) / 1000:.0f} kB, {parts}, temperature {head.temperature:g}, favour {head.favour}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
