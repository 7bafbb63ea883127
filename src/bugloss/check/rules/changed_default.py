"""changed-default."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.releases.api_use import ApiUse, api_uses
from bugloss.check.releases.removal import TITLES, release_of
from bugloss.check.releases.replacement import Replacement, of_parameters
from bugloss.check.releases.requirement import parse_version
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program

# What is done with a loaded object that holds more than tensors.
_MODEL_METHODS = {"eval", "train", "parameters", "forward", "cuda", "to"}


class ChangedDefault(Rule):
    """A call relies on a default value that changed between releases.

    ## What it finds
    Calls that leave out an argument whose default changed, where the difference matters: ``torch.load`` of a whole
    model, ``np.load`` of a pickled object, and functions that warn if the argument is missing
    (``checkpoint(use_reentrant=…)``, ``meshgrid(indexing=…)``, ``grid_sample(align_corners=…)``).

    ## Why it hurts
    The same line means something else after an upgrade. ``torch.load`` refuses a pickled model since 2.6,
    ``grid_sample`` samples other positions since 1.3, and the program does not say which behaviour is intended.

    ## Example
    ```python
    model = torch.load("model.pth").eval()
    ```

    ## Use instead
    ```python
    model = torch.load("model.pth", weights_only=False).eval()
    ```
    for files that you trust; better, save and load a ``state_dict``.

    ## Known problems
    Whether a file contains a model or only tensors is inferred from how the result is used.

    ## Fix safety
    No fix is offered: only the author knows which of the two behaviours is intended.

    ## References
    PyTorch 2.6, 1.3 and 1.10 release notes; NumPy 1.16.3 release notes.
    """

    name = "changed-default"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    words = ("load", "grid", "checkpoint")
    faulty = (
        "import torch\n\nmodel = torch.load('model.pth').eval()\n",
        "import numpy as np\nimport torch\n\nsettings = np.load('settings.npy').item()\n",
        "import torch\n\nrows, columns = torch.meshgrid(torch.arange(3), torch.arange(4))\n",
    )
    clean = (
        "import torch\n\nmodel = torch.load('model.pth', weights_only=False).eval()\n",
        "import torch\n\nmodel = torch.nn.Linear(2, 2)\nmodel.load_state_dict(torch.load('weights.pth'))\n",
        "import numpy as np\nimport torch\n\nx = np.load('x.npy')\ny = np.load('s.npy', allow_pickle=True).item()\n",
        "import torch\n\nrows, columns = torch.meshgrid(torch.arange(3), torch.arange(4), indexing='ij')\n",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for use in api_uses(program).of("torch", "numpy"):
            for line in of_parameters(use.package, use.symbol) if use.call is not None else ():
                if line.how == "default" and _relies(program, use, line):
                    since = f"{TITLES[use.package]} {line.removed or line.deprecated}"
                    message = f"the default of {line.parameter} changed in {since}: {line.note}"
                    yield self.finding(program, use.node, message)


def _relies(program: Program, use: ApiUse, line: Replacement) -> bool:
    """Whether the call leaves the argument out, in a release after the change, and the difference shows."""
    call = use.call
    assert call is not None
    if any(keyword.arg in {line.parameter, None} for keyword in call.keywords):
        return False
    if parse_version(line.removed or line.deprecated) > parse_version(release_of(program, use.package).version):
        return False
    follow = program.parents.get(call)
    method = follow.attr if isinstance(follow, ast.Attribute) else ""
    if use.symbol == "torch.load":
        return method in _MODEL_METHODS
    if use.symbol == "numpy.load":
        return method == "item"
    # The others ask for the argument at run time; three positional arguments may hold it.
    return use.symbol != "torch.nn.functional.interpolate" and (len(call.args) < 4 or use.symbol == "torch.meshgrid")
