"""Makes the learned part of ``bugloss localize`` from reports whose fixes are known::

    uv venv /tmp/localizer-venv --python 3.11
    uv pip install --python /tmp/localizer-venv/bin/python -e '.[ranking]'
    OMP_NUM_THREADS=1 /tmp/localizer-venv/bin/python scripts/train_localizer.py DATA REPOSITORIES --cache /tmp/localizer

With one thread sums are added in one order, and a second run gives the same bytes.
``DATA`` is the folder with ``bugs_dev.jsonl.gz`` and ``histories_dev.csv``; ``REPOSITORIES`` holds a bare repository
for each project as ``owner+name``; other projects of the data whose repository is there are learned from, too. Texts
are read and not kept: what is written are thresholds over features. How good it is on projects that it has never seen
is measured by ``python -m bench localization``, which uses the same code.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).parent))
from localizing.command import read_options, tell, write_json
from localizing.learning import dump, fit, leave_projects_out
from localizing.material import Material

from bugloss.localize.ranker.forest import MODEL

FOLDS = 8  # groups of projects; only to learn how sure scores turn out to be


def main() -> int:
    options = read_options(__doc__, MODEL)
    material = Material.read(options.data, options.repositories, options.cache)
    held_out = leave_projects_out(material.rows, material.further, FOLDS)
    write_json(options.output, dump(fit([*material.rows, *material.further]), held_out))
    tell(options.output, f"{len(material.rows)} reports and {len(material.further)} further ones")
    return 0


if __name__ == "__main__":
    sys.exit(main())
