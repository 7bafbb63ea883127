"""logarithm-not-inverted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import origin_nodes
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_last_word
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, method_of, written


class LogarithmNotInverted(Rule):
    """Predictions of a log-transformed target are turned back by the wrong function.

    ## What it finds
    ``log1p`` of a target together with ``exp`` (not ``expm1``) of predictions, or ``log`` together with ``expm1``.

    ## Why it hurts
    The inverse of ``log1p`` is ``expm1``. With ``exp`` every prediction is too large by one unit, which matters for
    small targets.

    ## Example
    ```python
    y = np.log1p(prices)
    prediction = np.exp(model.predict(x))
    ```

    ## Use instead
    ```python
    y = np.log1p(prices)
    prediction = np.expm1(model.predict(x))
    ```

    ## Known problems
    Files that use both pairs are left alone.

    ## Fix safety
    Suggested: the matching inverse.

    ## References
    NumPy documentation of ``log1p`` and ``expm1``.
    """

    name = "logarithm-not-inverted"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data", "metric")
    words = ("log1p", "expm1")
    faulty = (
        """\
import numpy as np
import keras

def run(model, x, prices):
    y = np.log1p(prices)
    model.fit(x, y)
    return np.exp(model.predict(x))
""",
    )
    clean = (
        """\
import numpy as np
import keras

def run(model, x, prices):
    y = np.log1p(prices)
    model.fit(x, y)
    scale = np.exp(-0.5)
    return np.expm1(model.predict(x)) * scale
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        ones, plain = program.called("log1p"), program.called("log")
        back, plain_back = program.called("expm1"), program.called("exp")
        if ones and not back and not plain:
            wrong, right = plain_back, "expm1"
        elif plain and back and not ones:
            wrong, right = back, "exp"
        else:
            return
        for call in wrong:
            if call.args and isinstance(call.func, ast.Attribute) and _is_prediction(program, call.args[0]):
                message = (
                    f"the target was transformed by {'log1p' if right == 'expm1' else 'log'}: its inverse is {right}"
                )
                fix = suggested(replace_last_word(program, call.func, right))
                yield self.finding(program, call, message, fix=fix)


def _is_prediction(program: Program, node: ast.expr) -> bool:
    parts = origin_nodes(program, node)
    named = re.search(r"pred|forecast|y_hat", last_part(node) or written(node))
    return bool(named) or any(method_of(part) in {"predict", "model", "net"} for part in parts)
