"""split-unpacked-in-wrong-order."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import spreads

# Which names are where they do not belong, and the order that would be right.
_ORDERS: dict[tuple[str, ...], tuple[int, ...]] = {
    ("train", "train", "held", "held"): (0, 2, 1, 3),
    ("held", "train", "held", "train"): (1, 0, 3, 2),
    ("held", "held", "train", "train"): (2, 0, 3, 1),
}


class SplitUnpackedInWrongOrder(Rule):
    """The parts of ``train_test_split`` get each other's names.

    ## What it finds
    ``x_train, y_train, x_test, y_test = train_test_split(x, y)``: the function returns both parts of the first array,
    then both parts of the second.

    ## Why it hurts
    The training labels are then the held-out samples. The program stops with an error about lengths, or trains on
    wrong labels.

    ## Example
    ```python
    x_train, y_train, x_test, y_test = train_test_split(x, y)
    ```

    ## Use instead
    ```python
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    ```

    ## Known problems
    Only names with train and test, val or valid in them are understood.

    ## Fix safety
    Suggested: the two names change places.

    ## References
    scikit-learn documentation, train_test_split.
    """

    name = "split-unpacked-in-wrong-order"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("data",)
    words = ("train_test_split",)
    faulty = (
        """\
from sklearn.model_selection import train_test_split

def prepare(x, y):
    x_train, y_train, x_test, y_test = train_test_split(x, y, test_size=0.2)
    return x_train, y_train
""",
        """\
from sklearn.model_selection import train_test_split

def prepare(x, y):
    x_test, x_train, y_test, y_train = train_test_split(x, y, test_size=0.2)
    return x_train, y_train
""",
    )
    clean = (
        """\
from sklearn.model_selection import train_test_split

def prepare(x, y):
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)
    train_x, val_x, train_y, val_y = train_test_split(x_train, y_train)
    first, second, third, fourth = train_test_split(x, y)
    return x_train, y_train
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
from sklearn.model_selection import train_test_split

def prepare(x, y):
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)
    return x_train, y_train
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("train_test_split"):
            node = program.parents.get(call)
            target = node.targets[0] if isinstance(node, ast.Assign) and node.value is call else None
            if not isinstance(target, ast.Tuple) or len(call.args) != 2 or len(target.elts) != 4 or spreads(call):
                continue
            names = [one.id if isinstance(one, ast.Name) else "" for one in target.elts]
            order = _ORDERS.get(tuple(map(_part, names)))
            if order is not None:
                right = ", ".join(names[place] for place in order)
                message = f"train_test_split returns both parts of the first array first: {right}"
                yield self.finding(
                    program, target, message, fix=replace_node(program, target, right, "reorder the names")
                )


def _part(name: str) -> str:
    lowered = name.lower()
    held = any(word in lowered for word in ("test", "val", "dev"))
    return "train" if "train" in lowered and not held else "held" if held and "train" not in lowered else ""
