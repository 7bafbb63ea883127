"""nan-comparison."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of


class NanComparison(Rule):
    """A value is compared with NaN.

    ## What it finds
    ``==`` or ``!=`` with ``float('nan')``, ``np.nan``, ``math.nan`` or ``torch.nan``.

    ## Why it hurts
    NaN is unequal to every value, including itself, so the test never detects a NaN.

    ## Example
    ```python
    if loss == float('nan'):
    ```

    ## Use instead
    ```python
    if torch.isnan(loss):
    ```

    ## Known problems
    None known.

    ## Fix safety
    Suggested: ``==`` with the NaN of a module becomes a call of the module's ``isnan``.

    ## References
    IEEE 754; dslinter (comparison with NaN).
    """

    name = "nan-comparison"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("numeric",)
    words = ("nan", "NaN", "NAN")
    faulty = (
        """\
import numpy as np

def is_bad(loss):
    return loss == np.nan
""",
        """\
import torch

def stop(loss):
    if loss == float("nan"):
        raise RuntimeError("diverged")
""",
    )
    clean = (
        """\
import numpy as np
import math

def is_bad(loss, name):
    return np.isnan(loss) or math.isnan(loss) or name == "nan" or loss != loss
""",
        """\
import numpy as np

def fill(values):
    values[values == 0] = np.nan
    return values
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import numpy as np

def is_bad(loss):
    return np.isnan(loss)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.Compare]:
            if (
                not isinstance(node, ast.Compare)
                or len(node.ops) != 1
                or not isinstance(node.ops[0], (ast.Eq, ast.NotEq))
            ):
                continue
            sides = [node.left, node.comparators[0]]
            nan = next((side for side in sides if _is_nan(program, side)), None)
            if nan is not None:
                other = sides[1] if nan is sides[0] else sides[0]
                answer = "false" if isinstance(node.ops[0], ast.Eq) else "true"
                message = f"a comparison with NaN is always {answer}, whatever {ast.unparse(other)} is"
                yield self.finding(program, node, message, fix=_fix(program, node, nan, other))


_NANS = {f"{module}.{name}" for module in ("numpy", "math", "torch") for name in ("nan", "NaN", "NAN")}


def _is_nan(program: Program, node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and method_of(node) == "float" and len(node.args) == 1:
        text = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
        return isinstance(text, str) and text.lower() == "nan"
    return program.names.qualified(node) in _NANS


def _fix(program: Program, node: ast.Compare, nan: ast.expr, other: ast.expr) -> Fix | None:
    if not isinstance(nan, ast.Attribute) or not isinstance(node.ops[0], ast.Eq):
        return None
    text = f"{program.source.segment(nan.value)}.isnan({program.source.segment(other)})"
    return replace_node(program, node, text, "ask isnan")
