"""What the neural techniques say about every report, learned on other projects; kept by the code that said it."""

from __future__ import annotations

import ast
import hashlib
import pickle
from collections.abc import Sequence
from pathlib import Path

from bugloss.evaluate.predictions import Prediction
from bugloss.evaluate.subjects import RankedReport
from localizing.candidates import read_projects

TECHNIQUES = ("dnnloc", "bjxnet")
FOLDS = 8  # groups of projects, each ranked by networks that saw none of them
_HERE = Path(__file__).parent
_ROOM = _HERE.parents[1] / "src" / "bugloss"
_MADE_BY = {
    "dnnloc": (
        *(_HERE / name for name in ("candidates.py", "word_space.py", "dnnloc.py")),
        *(
            _ROOM / "localize" / name
            for name in ("neural/association.py", "neural/perceptron.py", "techniques/dnnloc.py")
        ),
    ),
    "bjxnet": (
        *(_HERE / name for name in ("candidates.py", "bjxnet.py")),
        *(_ROOM / "localize" / "neural" / name for name in ("statement.py", "property_graph.py", "graph_batch.py")),
        _ROOM / "localize" / "techniques" / "bjxnet.py",
        _ROOM / "adapters" / "graph_network.py",
    ),
}


def predictions(name: str, found: Sequence[RankedReport], cache: Path) -> tuple[Prediction, ...]:
    """The rankings of one technique; read back where the same code made them before."""
    path = cache / "neural" / f"{name}-{_digest(name)}.pickle"
    if not path.is_file():
        made = _learn(name, found, cache)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(made))
    kept: tuple[Prediction, ...] = pickle.loads(path.read_bytes())
    return kept


def _digest(name: str) -> str:
    """Of what the code does: comments and layout do not count."""
    trees = "".join(ast.dump(ast.parse(path.read_text(encoding="utf-8"))) for path in _MADE_BY[name])
    return hashlib.sha256(trees.encode()).hexdigest()[:12]


def _learn(name: str, found: Sequence[RankedReport], cache: Path) -> tuple[Prediction, ...]:
    projects = read_projects(found, cache)
    if name == "dnnloc":
        from localizing import dnnloc

        return dnnloc.leave_projects_out(projects, FOLDS)
    from localizing import bjxnet

    return bjxnet.leave_projects_out(projects, FOLDS, cache)
