"""too-complex."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program

_CASCADE = "import torch\n\n\ndef level_0(x):\n    return torch.log(x)\n" + "".join(
    f"\n\ndef level_{i}(x):\n    return {' + '.join([f'level_{i - 1}(x)'] * 8)}\n" for i in range(1, 8)
)


class TooComplex(Rule):
    """A file is too complex to be analysed completely.

    ## What it finds
    A file that exceeds the analysis budget, or in which an expression is nested too deeply for some rules.

    ## Why it hurts
    The part beyond the budget is not analysed, so other rules may miss faults in this file.

    ## Example
    ```python
    def level_1(x):
        return level_0(x) + level_0(x) + level_0(x) + level_0(x)


    def level_2(x):  # … and so on: each level is followed four times as often as the one above it
        return level_1(x) + level_1(x) + level_1(x) + level_1(x)
    ```

    ## Use instead
    ```python
    def level_1(x):
        return 4 * level_0(x)
    ```
    Split generated code into several files, or exclude it from the check.

    ## Known problems
    The budget counts evaluated expressions, so the result does not depend on the machine.

    ## Fix safety
    Advice only.

    ## References
    None.
    """

    name = "too-complex"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.MONITOR
    groups = ("limits",)
    afterwards = True
    faulty = (_CASCADE,)
    clean = (
        """\
import torch


def level_0(x):
    return torch.log(x)


def level_1(x):
    return level_0(x) + level_0(x)


def level_2(x):
    return level_1(x) + level_1(x)
""",
        "import torch\n\nweights = [" + ", ".join(map(str, range(1000))) + "]\n",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not program.tree.body:
            return
        if not program.followed.complete:
            message = "this file is too complex: only a part of it was analysed"
            yield self.finding(program, program.tree.body[0], message)
        elif program.too_deep:
            names = ", ".join(program.too_deep)
            message = f"an expression in this file is nested too deeply for these rules: {names}"
            yield self.finding(program, program.tree.body[0], message)
