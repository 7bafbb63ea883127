"""Makes the classifier of triage from labelled reports::

    uv venv /tmp/triage-venv --python 3.11
    uv pip install --python /tmp/triage-venv/bin/python -e '.[studies,dlrepro]'
    /tmp/triage-venv/bin/python scripts/train_triage.py DATA --vectors /tmp/triage-vectors

``DATA`` holds the folders ``so_bug_types``, ``localization_labels`` and ``denchmark``. The texts are read and not kept:
what is written are words with their weights. Without ``--vectors`` no sentence encoder is needed, and issues are taught
by words alone. How good the heads are is measured by ``python -m bench triage``, which uses the same code.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).parent))
from triaging.material import Material

from bugloss.triage.classifier import MODEL

# Found by cross-validation (``python -m bench triage`` prints them): how sure the heads turned out to be.
TEMPERATURES = {"type:question": 1.0, "type:issue": 1.0, "origin:issue": 1.0, "source": 1.0}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with the labelled reports")
    parser.add_argument("--vectors", type=Path, help="a folder for sentence embeddings; they help to teach issues")
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    options = parser.parse_args()
    material = Material.read(options.data, options.vectors)
    heads = {name: head | {"temperature": TEMPERATURES[name]} for name, head in material.fit_all().items()}
    content = json.dumps({"schema": "bugloss.triage-model/1", "heads": heads}, separators=(",", ":")).encode()
    options.output.write_bytes(gzip.compress(content, 9, mtime=0))
    print(f"{options.output}: {options.output.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
