"""Makes the network of the technique ``bjxnet`` from reports whose fixes are known::

    uv venv /tmp/bjxnet-venv --python 3.11
    uv pip install --python /tmp/bjxnet-venv/bin/python -e '.[torch]'
    /tmp/bjxnet-venv/bin/python scripts/train_bjxnet.py DATA REPOSITORIES --cache /tmp/localizer

``DATA`` and ``REPOSITORIES`` are those of ``scripts/train_localizer.py``. Terms are hashed before anything is learned,
so what is written holds no word of any report or file. How good it is on projects that it has never seen is measured by
``python -m bench localization``, with the same code.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).parent))
from localizing.bjxnet import examples_of, fit, read_graphs
from localizing.candidates import read_projects
from localizing.command import read_options, tell
from localizing.material import subjects

from bugloss.adapters.graph_network import import_torch, write_weights
from bugloss.localize.techniques.bjxnet import MODEL


def main() -> int:
    options = read_options(__doc__, MODEL)
    import_torch().set_num_threads(1)  # so that sums are added in one order, and a second run gives the same weights
    projects = read_projects(subjects(options.data, options.repositories), options.cache)
    examples = [example for one in projects for example in examples_of(one, read_graphs(one, options.cache))]
    write_weights(options.output, fit(examples))
    tell(options.output, f"{len(examples)} reports")
    return 0


if __name__ == "__main__":
    sys.exit(main())
