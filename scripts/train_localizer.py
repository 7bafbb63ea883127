"""Makes the learned part of ``bugloss localize`` from reports whose fixes are known::

    uv venv /tmp/localizer-venv --python 3.11
    uv pip install --python /tmp/localizer-venv/bin/python -e '.[ranking]'
    /tmp/localizer-venv/bin/python scripts/train_localizer.py DATA REPOSITORIES --cache /tmp/localizer

``DATA`` is the folder with ``bugs_dev.jsonl.gz`` and ``histories_dev.csv``; ``REPOSITORIES`` holds a bare repository
for each project as ``owner+name``; other projects of the data whose repository is there are learned from, too. Texts
are read and not kept: what is written are thresholds over features. How good it is on projects that it has never seen
is measured by ``python -m bench localization``, which uses the same code.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).parent))
from localizing.learning import dump, fit, leave_projects_out
from localizing.material import Material

from bugloss.localize.forest import MODEL

FOLDS = 8  # groups of projects; only to learn how sure scores turn out to be


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with the reports")
    parser.add_argument("repositories", type=Path, help="the folder with the repositories")
    parser.add_argument("--cache", type=Path, required=True, help="a folder for what is worked out on the way")
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    options = parser.parse_args()
    material = Material.read(options.data, options.repositories, options.cache)
    held_out = leave_projects_out(material.rows, material.further, FOLDS)
    model = dump(fit([*material.rows, *material.further]), held_out)
    content = json.dumps(model, separators=(",", ":")).encode()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_bytes(gzip.compress(content, 9, mtime=0))
    size = options.output.stat().st_size / 1000
    print(f"{options.output}: {len(material.rows)} reports and {len(material.further)} further ones, {size:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
