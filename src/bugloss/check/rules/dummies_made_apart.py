"""dummies-made-apart."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, written


class DummiesMadeApart(Rule):
    """Categories of training and test data are encoded separately.

    ## What it finds
    ``pd.get_dummies`` on two parts of one data set without ``reindex`` or ``align``, or a fresh encoding
    (``factorize``, ``cat.codes``) of each part.

    ## Why it hurts
    Each call makes its columns, or its codes, from the categories that it sees. Where these differ between the
    parts, the same column means something else.

    ## Example
    ```python
    x_train = pd.get_dummies(train)
    x_test = pd.get_dummies(test)
    ```

    ## Use instead
    ```python
    x_train = pd.get_dummies(train)
    x_test = pd.get_dummies(test).reindex(columns=x_train.columns, fill_value=0)
    ```

    ## Known problems
    Columns with fixed categories (``pd.Categorical``) are the same in both parts; files that mention them are left
    alone.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    pandas documentation of ``get_dummies``.
    """

    name = "dummies-made-apart"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("get_dummies", "factorize")
    faulty = (
        """\
import pandas as pd
import torch

def prepare(train, test):
    return pd.get_dummies(train), pd.get_dummies(test)
""",
    )
    clean = (
        """\
import pandas as pd
import torch

def prepare(train, test, frame):
    x = pd.get_dummies(train)
    y = pd.get_dummies(test).reindex(columns=x.columns, fill_value=0)
    return x, y, pd.get_dummies(frame)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("reindex", ".align(", "Categorical(", "CategoricalDtype", "set_categories")):
            return
        calls = [call for call in program.called("get_dummies", "factorize") if call.args]
        parts: dict[tuple[str, bool], ast.Call] = {}
        for call in calls:
            part = re.search(r"train|test|val", written(call.args[0]))
            if part is not None:
                parts.setdefault((method_of(call), part.group() == "train"), call)
        for name in ("get_dummies", "factorize"):
            if (name, True) in parts and (name, False) in parts:
                message = f"{name} encodes the two parts separately, so their columns or codes can differ"
                yield self.finding(program, parts[name, False], message)
