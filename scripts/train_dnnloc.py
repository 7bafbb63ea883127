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

import argparse
import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).parent))
from localizing.candidates import read_projects
from localizing.dnnloc import fit, written
from localizing.material import subjects

from bugloss.localize.techniques.dnnloc import MODEL


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with the reports")
    parser.add_argument("repositories", type=Path, help="the folder with the repositories")
    parser.add_argument("--cache", type=Path, required=True, help="a folder for what is worked out on the way")
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    options = parser.parse_args()
    projects = read_projects(subjects(options.data, options.repositories), options.cache)
    content = json.dumps(written(fit(projects)), separators=(",", ":")).encode()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_bytes(gzip.compress(content, 9, mtime=0))
    print(f"{options.output}: {sum(len(one.reports) for one in projects)} reports, {len(content) / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
