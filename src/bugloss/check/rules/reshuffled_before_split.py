"""reshuffled-before-split."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import add_argument
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, keyword_of, method_of, receiver_of


class ReshuffledBeforeSplit(Rule):
    """A data set that is shuffled again in every pass is split by take and skip.

    ## What it finds
    ``take`` and ``skip`` of one ``tf.data.Dataset`` after ``shuffle`` without ``reshuffle_each_iteration=False``.

    ## Why it hurts
    ``shuffle`` draws a new order whenever the data set is read, so each epoch puts other samples into the two
    parts: validation samples are trained on, and the validation result is too good.

    ## Example
    ```python
    data = data.shuffle(1000)
    train, valid = data.skip(200), data.take(200)
    ```

    ## Use instead
    ```python
    data = data.shuffle(1000, reshuffle_each_iteration=False)
    train, valid = data.skip(200), data.take(200)
    ```

    ## Known problems
    Both calls must be on a name in the same function or file.

    ## Fix safety
    Suggested: ``reshuffle_each_iteration=False`` is passed.

    ## References
    TensorFlow documentation of ``tf.data.Dataset.shuffle``.
    """

    name = "reshuffled-before-split"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = (".shuffle(",)
    faulty = (
        """\
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000, seed=0)
valid = data.take(200).batch(32)
train = data.skip(200).batch(32)
""",
    )
    clean = (
        """\
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000, seed=0, reshuffle_each_iteration=False)
valid = data.take(200).batch(32)
train = data.skip(200).shuffle(1000).batch(32)
other = tf.data.Dataset.from_tensor_slices(x).shuffle(10)
few = other.take(3)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        seen: set[ast.AST] = set()
        skipped = [receiver_of(call) for call in program.called("skip")]
        for call in program.called("take") if skipped else ():
            taken = receiver_of(call)
            if taken is None or not dotted(taken) or dotted(taken) not in {dotted(one) for one in skipped}:
                continue
            shuffled = _shuffled(program, taken)
            if shuffled is not None and shuffled not in seen:
                seen.add(shuffled)
                message = "each pass draws a new order, so the parts made by take() and skip() overlap over the epochs"
                fix = suggested(add_argument(program, shuffled, "reshuffle_each_iteration=False"))
                yield self.finding(program, shuffled, message, fix=fix)


_KEEP_ORDER = {"map", "prefetch", "cache", "filter", "batch", "enumerate", "with_options"}


def _shuffled(program: Program, node: ast.expr) -> ast.Call | None:
    """The call of ``shuffle`` that a data set comes from, unless it keeps one order."""
    current: ast.expr | None = definition(program, node)
    while isinstance(current, ast.Call):
        if method_of(current) == "shuffle":
            fixed = is_constant(keyword_of(current, "reshuffle_each_iteration"), False)
            return None if fixed else current
        if method_of(current) not in _KEEP_ORDER:
            return None
        inner = receiver_of(current)
        current = definition(program, inner) if inner is not None else None
    return None
