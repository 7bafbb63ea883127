"""numpy2-removed-alias."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule
from bugloss.check.releases.removal import Removal, removals
from bugloss.check.releases.renaming import report
from bugloss.check.releases.requirement import parse_version
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program

_LONG_GONE = (1, 24)


class Numpy2RemovedAlias(Rule):
    """A name is used that NumPy removed.

    ## What it finds
    ``np.float``, ``np.int``, ``np.bool`` and similar aliases, removed in 1.24, and the aliases that NumPy 2 removed:
    ``np.Inf``, ``np.float_``, ``np.product``, ``np.in1d`` …

    ## Why it hurts
    The line raises an AttributeError. Older data loaders and metrics often use these names, and a new environment
    installs a NumPy that no longer has them.

    ## Example
    ```python
    labels = np.zeros(100, dtype=np.int)
    best = np.Inf
    ```

    ## Use instead
    ```python
    labels = np.zeros(100, dtype=int)
    best = np.inf
    ```

    ## Known problems
    ``np.bool`` and ``np.long`` exist again in NumPy 2 with another meaning, and are reported only for older releases.
    Without a ``--target`` or a pin the newest release is assumed, and names removed after 1.24 are a warning.

    ## Fix safety
    Safe where the new name means the same; for ``np.in1d`` and others whose arguments differ, only the message names
    the replacement.

    ## References
    NumPy 2.0 migration guide; NumPy 1.20.0 and 1.24.0 release notes. Ruff's NPY001 and NPY201 find much of the same.
    """

    name = "numpy2-removed-alias"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    words = ("numpy",)
    faulty = (
        "import numpy as np\n\nlabels = np.zeros(100, dtype=np.int)\nmore = np.ones(3, np.int)\n",
        "import numpy as np\n\nbest, worst = np.Inf, np.NINF\n",
        "from numpy import product\n\nsize = product((3, 4))\n",
        "import numpy as np\n\nknown = np.in1d([1, 2], [2, 3])\n",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: "import numpy as np\n\nlabels = np.zeros(100, dtype=int)\nmore = np.ones(3, int)\n",
        1: "import numpy as np\n\nbest, worst = np.inf, -np.inf\n",
        2: "from numpy import prod as product\n\nsize = product((3, 4))\n",
    }
    clean = (
        "import numpy as np\n\nlabels = np.zeros(100, dtype=np.int64)\nbest = np.inf\nyes = np.bool_(True)\n",
        "import numpy as np\n\nif not hasattr(np, 'float'):\n    np.float = float\nx = np.float(3)\n",
        "import jax.numpy as np\n\nx = np.product(np.ones(3))\n",
        "import numpy as np\n\nrow = np.random.rand(3)\nnp.random.shuffle(row)\ntotal = np.sum(row)\n",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for removal in removals(program):
            if removal.release.package == "numpy":
                yield report(self, program, removal, _severity(removal))


def _severity(removal: Removal) -> Severity:
    """Without a known release only what has been gone for years is certain."""
    removed = removal.instead.removed if removal.instead is not None else ""
    long_gone = bool(removed) and parse_version(removed) <= _LONG_GONE
    return Severity.ERROR if removal.certain or long_gone else Severity.WARNING
