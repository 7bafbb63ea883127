"""held-out-data-not-prepared."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, insert_line_after
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import loads, method_of, targets_of, walk_here, written


class HeldOutDataNotPrepared(Rule):
    """One of several parts of the data is not prepared like the others.

    ## What it finds
    Variables that differ in their role only (``x_train``, ``x_val``, ``x_test``), of which the training part is
    scaled or transformed and given its name again, while another part is passed to the network as it was.

    ## Why it hurts
    The network sees numbers of another scale than it was trained on; the score of that part is meaningless.

    ## Example
    ```python
    x_train = standardize(x_train, mean, std)
    x_val = standardize(x_val, mean, std)
    model.evaluate(x_test, y_test)
    ```

    ## Use instead
    ```python
    x_train = standardize(x_train, mean, std)
    x_val = standardize(x_val, mean, std)
    x_test = standardize(x_test, mean, std)
    model.evaluate(x_test, y_test)
    ```

    ## Known problems
    A part that was prepared where it was made is recognised only when it is made of prepared data.

    ## Fix safety
    Suggested: the same line is inserted for the other part.

    ## References
    Kaufman et al., Leakage in Data Mining (2012); scikit-learn, common pitfalls: inconsistent preprocessing.
    """

    name = "held-out-data-not-prepared"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("_train", "train_", "X_tr", "x_tr")
    faulty = (
        """\
import numpy as np
from keras.models import Sequential

def run(model, x, y):
    x_train, x_val, x_test = x[:300], x[300:400], x[400:]
    y_train, y_val, y_test = y[:300], y[300:400], y[400:]
    mean, std = x_train.mean(axis=0), x_train.std(axis=0)
    x_train = standardize(x_train, mean, std)
    x_val = standardize(x_val, mean, std)
    model.fit(x_train, y_train, validation_data=(x_val, y_val))
    return model.evaluate(x_test, y_test)
""",
    )
    clean = (
        """\
import numpy as np
from keras.models import Sequential

def run(model, x, y):
    x_train, x_val, x_test = x[:300], x[300:400], x[400:]
    y_train, y_val, y_test = y[:300], y[300:400], y[400:]
    mean, std = x_train.mean(axis=0), x_train.std(axis=0)
    x_train = standardize(x_train, mean, std)
    x_val, x_test = standardize(x_val, mean, std), standardize(x_test, mean, std)
    x_train = augment(x_train)
    y_train = to_categorical(y_train)
    model.fit(x_train, y_train, validation_data=(x_val, y_val))
    return model.evaluate(x_test, y_test)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.Assign]:
            name = _assigned(node)
            if not _TRAIN.search(name) or not isinstance(node, ast.Assign) or not _is_prepared(node, name):
                continue
            body = list(walk_here(list(getattr(scope_of(program, node), "body", []))))
            for other in sorted(_siblings(body, name)):
                if _is_touched(body, other, node.lineno) or not _is_passed(body, other, node.lineno):
                    continue
                text = re.sub(rf"\b{name}\b", other, written(node))
                message = f"{name} is prepared here, {other} is used as it was: write {text}"
                fix = insert_line_after(program, node, text, f"insert `{text}` after line {node.lineno}")
                yield self.finding(program, node, message, fix=fix)


_TRAIN = re.compile(r"(^|_)(train|tr|trn)(_|$)|train$", re.IGNORECASE)
_ROLE = re.compile(r"(^|_)(train|tr|trn|training)(?=_|$)", re.IGNORECASE)
_PREPARES = re.compile(r"mean|std|scale|norm|255|standard|whiten|log1p|transform|mu\b|sigma", re.IGNORECASE)
_HELD_OUT = ("val", "valid", "validation", "test", "dev", "te", "eval")
_PASSES = {
    "evaluate",
    "predict",
    "TensorDataset",
    "from_tensor_slices",
    "model",
    "net",
    "from_numpy",
    "as_tensor",
    "tensor",
}


def _assigned(node: ast.AST) -> str:
    """The name that an assignment gives a value, where it is the only one."""
    single = isinstance(node, ast.Assign) and len(node.targets) == 1
    target = targets_of(node)[0] if single else None
    return target.id if isinstance(target, ast.Name) else ""


def _is_prepared(node: ast.Assign, name: str) -> bool:
    """Whether the assignment reads ``x_train = prepare(x_train, …)``."""
    plain = isinstance(node.value, ast.Call | ast.BinOp) and method_of(node.value) != "fit_transform"
    return plain and name in loads(node.value) and _PREPARES.search(written(node.value)) is not None


def _siblings(body: list[ast.AST], name: str) -> set[str]:
    """Names of the same kind with the role of held-out data."""
    wanted = {_ROLE.sub(rf"\g<1>{role}", name, count=1) for role in _HELD_OUT}
    return {part.id for part in body if isinstance(part, ast.Name) and part.id in wanted} - {name}


def _is_touched(body: list[ast.AST], name: str, line: int) -> bool:
    """Whether something is made of the part, or it gets another value, from a line on."""
    for part in body:
        if not isinstance(part, ast.Assign | ast.AugAssign) or part.lineno < line:
            continue
        stores = {one.id for target in targets_of(part) for one in walk_here(target) if isinstance(one, ast.Name)}
        if name in stores or (name in loads(part.value) and _PREPARES.search(written(part.value))):
            return True
    return any(
        isinstance(part, ast.BinOp) and getattr(part, "lineno", 0) >= line and name in loads(part) for part in body
    )


def _is_passed(body: list[ast.AST], name: str, line: int) -> bool:
    return any(
        isinstance(part, ast.Call)
        and part.lineno > line
        and method_of(part) in _PASSES
        and any(isinstance(one, ast.Name) and one.id == name for given in part.args for one in walk_here(given))
        for part in body
    )
