"""removed-parameter."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.releases.parameter_use import ParameterUse, outdated_parameters
from bugloss.check.releases.removal import TITLES
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class RemovedParameter(Rule):
    """An argument is passed that the release removed.

    ## What it finds
    Keyword arguments that an earlier release accepts and the target release does not accept, under any name:
    ``workers`` of ``fit`` in Keras 3, ``decay`` of its optimizers, ``verbose`` of PyTorch's schedulers.

    ## Why it hurts
    The call raises a TypeError about an unexpected keyword argument, or a ValueError about an unrecognised argument.

    ## Example
    ```python
    model.fit(batches, workers=4)
    ```

    ## Use instead
    ```python
    model.fit(batches)  # workers is an argument of the data set: keras.utils.PyDataset(workers=4)
    ```

    ## Known problems
    Functions whose signature cannot be inspected (those written in C++) or that accept ``**kwargs`` are found only if
    the table of replacements lists them. Without a ``--target`` or a pin the newest release is assumed, and the
    finding is a warning.

    ## Fix safety
    No fix is offered: what the argument did has to be done in another way, or is no longer needed.

    ## References
    The catalogues made by ``scripts/catalogue.py``; release notes of Keras 3.0 and PyTorch 2.7.
    """

    name = "removed-parameter"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    faulty = (
        "import keras\n\nmodel = keras.Sequential([keras.layers.Dense(1)])\nmodel.fit(x, y, workers=4)\n",
        "import keras\n\noptimizer = keras.optimizers.SGD(learning_rate=0.1, decay=1e-4)\n",
        """\
import torch

optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10, verbose=True)
""",
    )
    clean = (
        "import keras\n\nmodel = keras.Sequential([keras.layers.Dense(1)])\nmodel.save('net.keras')\n",
        "import keras\n\noptimizer = keras.optimizers.SGD(learning_rate=0.1, momentum=0.9, weight_decay=1e-4)\n",
        "import tf_keras\n\noptimizer = tf_keras.optimizers.SGD(learning_rate=0.1, decay=1e-4)\n",
        "import keras\nimport joblib\n\npool = joblib.Parallel(workers=3)\npool.fit([1], workers=2)\n",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for use in outdated_parameters(program):
            if use.is_gone and (use.line is None or not use.line.new):
                severity = None if use.release.known else Severity.ADVICE
                yield self.finding(program, use.keyword, _message(use), severity=severity)


def _message(use: ParameterUse) -> str:
    function = use.function.rsplit(".", 1)[-1]
    since = use.line.removed if use.line is not None and use.line.removed else ""
    when = f"since {TITLES[use.release.package]} {since}" if since else f"in {use.release.title}"
    note = f": {use.line.note}" if use.line is not None and use.line.note else ""
    return f"{function}() does not accept {use.keyword.arg} {when}{note}"
