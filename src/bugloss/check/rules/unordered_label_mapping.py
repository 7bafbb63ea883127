"""unordered-label-mapping."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, method_of


class UnorderedLabelMapping(Rule):
    """Class indices follow the order of a set.

    ## What it finds
    A mapping from labels to indices (or back) that enumerates a set.

    ## Why it hurts
    The order of strings in a set changes from process to process. A model that is loaded later assigns wrong names to
    its predictions.

    ## Example
    ```python
    index = {label: i for i, label in enumerate(set(labels))}
    ```

    ## Use instead
    ```python
    index = {label: i for i, label in enumerate(sorted(set(labels)))}
    ```

    ## Known problems
    Sets of small integers are ordered in CPython and reported too.

    ## Fix safety
    Safe: any order was possible before; values that cannot be compared would raise an error.

    ## References
    Python documentation, PYTHONHASHSEED.
    """

    name = "unordered-label-mapping"
    severity = Severity.ADVICE
    category = Category.TRAINING
    fix_pattern = FixPattern.SEED
    groups = ("reproducibility", "data")
    words = ("set(",)
    faulty = (
        """\
import torch

def index(labels):
    return {label: i for i, label in enumerate(set(labels))}
""",
    )
    clean = (
        """\
import torch

def index(labels):
    return {label: i for i, label in enumerate(sorted(set(labels)))}
""",
        """\
import torch

def count(labels):
    for number, label in enumerate(set(labels)):
        print(number, label)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def index(labels):
    return {label: i for i, label in enumerate(sorted(set(labels)))}
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.DictComp]:
            assert isinstance(node, ast.DictComp)
            source = node.generators[0].iter
            if not isinstance(source, ast.Call) or method_of(source) != "enumerate" or not source.args:
                continue
            inner = source.args[0]
            if isinstance(inner, ast.Call) and method_of(inner) in {"list", "tuple"} and inner.args:
                inner = inner.args[0]
            if isinstance(inner, ast.Set) or (
                isinstance(inner, ast.Call) and dotted(inner.func) in {"set", "frozenset"}
            ):
                message = "the indices follow the order of a set, which differs from run to run"
                text = f"sorted({program.source.segment(inner)})"
                fix = replace_node(program, source.args[0], text, "sort the labels first")
                yield self.finding(program, node, message, fix=fix)
