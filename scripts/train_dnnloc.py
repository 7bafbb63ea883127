"""Makes the networks of the technique ``dnnloc`` from reports whose fixes are known::

    uv venv /tmp/localizer-venv --python 3.11
    uv pip install --python /tmp/localizer-venv/bin/python -e '.[ranking]'
    /tmp/localizer-venv/bin/python scripts/train_dnnloc.py DATA REPOSITORIES --cache /tmp/localizer

``DATA`` and ``REPOSITORIES`` are those of ``scripts/train_localizer.py``. What is written are words that at least eight
projects use, with a place in a space of 24 dimensions each, and the weights of a small network; no report and no file
is kept. How good it is on projects that it has never seen is measured by ``python -m bench localization``, with the
same code.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).parent))
from localizing.candidates import read_projects
from localizing.command import read_options, tell, write_json
from localizing.dnnloc import fit, written
from localizing.material import subjects

from bugloss.localize.techniques.dnnloc import MODEL


def main() -> int:
    options = read_options(__doc__, MODEL)
    projects = read_projects(subjects(options.data, options.repositories), options.cache)
    write_json(options.output, written(fit(projects)))
    tell(options.output, f"{sum(len(one.reports) for one in projects)} reports")
    return 0


if __name__ == "__main__":
    sys.exit(main())
