"""removed-api."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule
from bugloss.check.releases.removal import is_keras3, is_tensorflow1, removals
from bugloss.check.releases.renaming import report
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class RemovedApi(Rule):
    """A name is used that the release removed.

    ## What it finds
    Names of PyTorch, Keras and TensorFlow that an earlier release had and the target lacks: in imports, in dotted
    names, and as methods of tensors and models. What TensorFlow 2, Keras 3 and NumPy 2 removed is reported by
    ``tf1-idiom``, ``keras3-break`` and ``numpy2-removed-alias``.

    ## Why it hurts
    The program stops with an AttributeError or ImportError, usually at the start, sometimes only after hours of
    training when the line is reached.

    ## Example
    ```python
    values, vectors = torch.symeig(matrix, eigenvectors=True)
    ```

    ## Use instead
    ```python
    values, vectors = torch.linalg.eigh(matrix)
    ```

    ## Known problems
    The target is the release given with ``--target``, else the one that the project pins, else the newest catalogued
    release; in the last case the finding is a warning. Names inside ``try`` with a fitting ``except``, behind
    ``hasattr`` or behind a version check are not reported, and neither is a whole file that reads the library's
    version.

    ## Fix safety
    Safe where the new name takes the same arguments; otherwise the message names the replacement and no fix is
    offered.

    ## References
    The catalogues were made by installing and reading the releases themselves (``scripts/catalogue.py``). Islam et al.,
    "Repairing Deep Neural Networks: Fix Patterns and Challenges", ICSE 2020, pattern "versioning".
    """

    name = "removed-api"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    faulty = (
        "import torch\n\n\ndef decompose(matrix):\n    return torch.symeig(matrix, eigenvectors=True)\n",
        "from torch._six import inf\n\nlimit = -inf\n",
        "from torch.utils.ffi import create_extension\n",
        "import torch\n\nx = torch.gels(torch.ones(3, 1), torch.ones(3, 3))\n",
    )
    fixed: ClassVar[dict[int, str]] = {1: "from torch import inf\n\nlimit = -inf\n"}
    clean = (
        "import torch\n\n\ndef decompose(matrix):\n    return torch.linalg.eigh(matrix)\n",
        """\
import torch

if hasattr(torch, "linalg"):
    decompose = torch.linalg.eigh
else:
    decompose = torch.symeig
""",
        """\
try:
    from torch._six import inf
except ImportError:
    from math import inf
""",
        """\
import torch
from packaging import version

OLD = version.parse(torch.__version__) < version.parse("1.9")


def decompose(matrix):
    return torch.symeig(matrix) if OLD else torch.linalg.eigh(matrix)
""",
        "import mytorch as torch\n\nprint(torch.symeig)\n",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for removal in removals(program):
            if not is_tensorflow1(removal) and not is_keras3(removal) and removal.release.package != "numpy":
                yield report(self, program, removal)
