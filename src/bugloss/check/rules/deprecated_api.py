"""deprecated-api."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule
from bugloss.check.releases.api_use import ApiUse, api_uses
from bugloss.check.releases.catalogue import NameState, resolve
from bugloss.check.releases.parameter_use import outdated_parameters
from bugloss.check.releases.removal import Release, Removal, release_of
from bugloss.check.releases.renaming import renaming, shown
from bugloss.check.releases.replacement import by_table
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class DeprecatedApi(Rule):
    """A deprecated name or argument is used.

    ## What it finds
    Names and keywords of PyTorch, Keras, TensorFlow and NumPy that are marked as deprecated in the target: by a
    decorator, by the warning they emit, or in the table of replacements.

    ## Why it hurts
    The program still runs, but a later release removes the name. Some deprecated names no longer do anything:
    ``Variable`` just returns the tensor.

    ## Example
    ```python
    scaler = torch.cuda.amp.GradScaler()
    ```

    ## Use instead
    ```python
    scaler = torch.amp.GradScaler("cuda")
    ```

    ## Known problems
    Calls that are deprecated only for some arguments are not found. Names below ``tf.compat.v1`` are not reported.

    ## Fix safety
    Safe where the new name takes the same arguments; otherwise the message names the replacement and no fix is
    offered.

    ## References
    The catalogues made by ``scripts/catalogue.py``; TorchFix finds some of the same for PyTorch.
    """

    name = "deprecated-api"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    faulty = (
        "import torch\n\nscaler = torch.cuda.amp.GradScaler()\n",
        "import torch\n\nmodel = torch.nn.Linear(2, 2)\ntorch.nn.utils.clip_grad_norm(model.parameters(), 1.0)\n",
        "from torch.autograd import Variable\nimport torch\n\nx = Variable(torch.ones(3))\n",
        "import torch\n\nloss = torch.nn.MSELoss(size_average=False)\n",
    )
    fixed: ClassVar[dict[int, str]] = {
        1: "import torch\n\nmodel = torch.nn.Linear(2, 2)\ntorch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n",
    }
    clean = (
        "import torch\n\nscaler = torch.amp.GradScaler('cuda')\nloss = torch.nn.MSELoss(reduction='sum')\n",
        "import tensorflow as tf\n\nx = tf.compat.v1.placeholder(tf.float32)\n",
        """\
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return 2 * x
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        found: dict[str, Removal] = {}
        for use in api_uses(program).all:
            release = release_of(program, use.package)
            if _is_deprecated(use, release):
                line = by_table(use.package, use.symbol)
                old = found.setdefault(use.symbol, Removal(use.symbol, release, "", line))
                old.nodes.append(use.node)
                old.uses.append(use)
        for old in found.values():
            yield self.finding(program, old.nodes[0], _message(program, old), fix=renaming(program, old))
        yield from self._parameters(program)

    def _parameters(self, program: Program) -> Iterator[Finding]:
        for use in outdated_parameters(program):
            if not use.is_gone and use.line is not None:
                instead = f": {use.line.note or f'pass {use.line.new}'}" if use.line.note or use.line.new else ""
                function = use.function.rsplit(".", 1)[-1]
                yield self.finding(program, use.keyword, f"{use.keyword.arg} of {function}() is deprecated{instead}")


def _is_deprecated(use: ApiUse, release: Release) -> bool:
    if use.symbol.startswith("tensorflow.compat."):
        return False
    resolution = resolve(use.package, use.symbol, release.version)
    if resolution.state is not NameState.PRESENT or resolution.kind == "m":
        return False
    line = by_table(use.package, use.symbol)
    # Programs that stay with TensorFlow 1 would get a finding for nearly every name that 2.0 removed.
    listed = line is not None and line.is_deprecated(release.version) and line.removed != "2.0"
    return resolution.deprecated or listed


def _message(program: Program, old: Removal) -> str:
    line = old.instead
    instead = ""
    if line is not None and line.new:
        instead = f": write {shown(program, line.new)}" + (f" ({line.note})" if line.note else "")
    elif line is not None and line.note:
        instead = f": {line.note}"
    return f"{shown(program, old.name, old.nodes[0])} is deprecated in {old.release.title}{instead}"
