"""sample-changed-in-place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, method_of, receiver_of, walk


class SampleChangedInPlace(Rule):
    """A data set changes its stored samples when they are read.

    ## What it finds
    ``__getitem__`` that takes an element of an attribute without copying it and then changes it in place: ``x =
    self.images[i]; x += noise``.

    ## Why it hurts
    Indexing a NumPy array or a tensor gives a view. The change stays, so noise, normalisation or flips pile up from
    epoch to epoch, and validation reads what training has changed.

    ## Example
    ```python
    def __getitem__(self, i):
        image = self.images[i]
        image += np.random.normal(0, 0.1, image.shape)
        return image, self.labels[i]
    ```

    ## Use instead
    ```python
    def __getitem__(self, i):
        image = self.images[i] + np.random.normal(0, 0.1, self.images[i].shape)
        return image, self.labels[i]
    ```

    ## Known problems
    Elements that are numbers or loaded from disk are copies; whether an attribute holds an array is not known.

    ## Fix safety
    Suggested: the element is copied.

    ## References
    NumPy documentation, "Copies and views".
    """

    name = "sample-changed-in-place"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("__getitem__",)
    faulty = (
        """\
import numpy as np
from torch.utils.data import Dataset

class Images(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __getitem__(self, i):
        image = self.images[i]
        if np.random.rand() < 0.5:
            image += np.random.normal(0, 0.1, image.shape)
        return image, self.labels[i]
""",
    )
    clean = (
        """\
import numpy as np
from torch.utils.data import Dataset

class Images(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __getitem__(self, i):
        image = self.images[i].copy()
        image += np.random.normal(0, 0.1, image.shape)
        other = self.images[i]
        other = other.clone()
        other[0] = 0.0
        path = self.paths[i]
        path += ".png"
        count = self.counts[i] * 2
        return image, other, path, count
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for function in program.nodes[ast.FunctionDef]:
            if not isinstance(function, ast.FunctionDef) or function.name != "__getitem__":
                continue
            views: dict[str, ast.expr] = {}
            for node in sorted(walk(function), key=lambda part: getattr(part, "lineno", 0)):
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    view = _is_view(node.value)
                    views = {**views, node.targets[0].id: node.value} if view else _without(views, node.targets[0].id)
                name = _changed(node)
                if name in views:
                    copied = (
                        "clone" if "torch" in program.names.roots and "numpy" not in program.names.roots else "copy"
                    )
                    text = f"{program.source.segment(views[name])}.{copied}()"
                    message = f"{name} is a view of the stored data, so this change stays for all later epochs: copy it"
                    fix = suggested(replace_node(program, views[name], text))
                    yield self.finding(program, node, message, fix=fix)
                    views = _without(views, name)


_IN_PLACE = {"sort", "fill", "partition"}


def _without(views: dict[str, ast.expr], name: str) -> dict[str, ast.expr]:
    return {key: value for key, value in views.items() if key != name}


def _is_view(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Subscript)
        and dotted(value.value).startswith("self.")
        and not isinstance(value.slice, ast.Constant)
    )


def _changed(node: ast.AST) -> str:
    """The variable that a statement changes in place."""
    if isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Subscript):
            return dotted(node.target.value)
        text = any(
            isinstance(part, ast.Constant | ast.JoinedStr) and isinstance(getattr(part, "value", ""), str)
            for part in walk(node.value)
        )
        number = isinstance(node.value, ast.Constant) and isinstance(node.value.value, int)
        return "" if text or number else dotted(node.target)
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        return dotted(node.targets[0].value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        inner = receiver_of(node)
        if method_of(node) in _IN_PLACE or (node.func.attr.endswith("_") and not node.func.attr.startswith("_")):
            return dotted(inner) if inner is not None else ""
        if method_of(node) == "shuffle" and node.args:
            return dotted(node.args[0])
    return ""
