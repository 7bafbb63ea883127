"""reshaped-instead-of-transposed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, method_of, receiver_of, written
from bugloss.source.training.loss_calls import last_assigned
from bugloss.source.values.values import Operation, Tensor

_FEWEST = 3  # axes: (a, b) to (b, a) is sometimes meant


class ReshapedInsteadOfTransposed(Rule):
    """A reshape is used where axes should change places.

    ## What it finds
    ``reshape`` or ``view`` to the same sizes in another order: ``b, h, w, c = x.shape`` and then ``x.reshape(b, c, h,
    w)``, or an array of known shape, such as (N, 32, 32, 3) to (N, 3, 32, 32).

    ## Why it hurts
    A reshape keeps the order of the numbers in memory, so rows, columns and channels are scrambled. Shapes fit, and the
    network trains on garbage.

    ## Example
    ```python
    x = x.reshape(batch, channels, height, width)
    ```

    ## Use instead
    ```python
    x = x.permute(0, 3, 1, 2)
    ```

    ## Known problems
    Axes of equal size cannot be distinguished where only sizes are known.

    ## Fix safety
    Suggested: a permutation of the axes.

    ## References
    NumPy documentation, reshape and transpose.
    """

    name = "reshaped-instead-of-transposed"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("tensor",)
    words = ("reshape", "view")
    faulty = (
        """\
import torch

def prepare(x):
    b, h, w, c = x.shape
    return x.reshape(b, c, h, w)
""",
        """\
import keras

(x_train, y_train), (x_test, y_test) = keras.datasets.cifar10.load_data()
x_train = x_train.reshape(50000, 3, 32, 32)
""",
        """\
import torch

def swap(x):
    return x.view(x.size(0), x.size(2), x.size(1))
""",
    )
    clean = (
        """\
import keras
import torch

(x_train, y_train), (x_test, y_test) = keras.datasets.cifar10.load_data()
x_train = x_train.transpose(0, 3, 1, 2)

def prepare(x):
    b, h, w, c = x.shape
    return x.reshape(b, h * w, c), x.view(b, h, w, c)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        seen: set[int] = set()
        for call in program.called("reshape", "view"):
            owner = receiver_of(call)
            order = _written_order(program, call, owner) if owner is not None and not call.keywords else None
            if order is not None:
                seen.add(id(call))
                yield self._found(program, call, order)
        for operation in program.methods("reshape", "view"):
            order = _known_order(operation) if id(operation.node) not in seen else None
            if order is not None and isinstance(operation.node, ast.Call):
                yield self._found(program, operation.node, order)

    def _found(self, program: Program, call: ast.Call, order: tuple[int, ...]) -> Finding:
        axes = ", ".join(map(str, order))
        message = f"{method_of(call)} does not move axes, it scrambles the values: use permute or transpose ({axes})"
        owner = receiver_of(call)
        method = "permute" if "torch" in program.frameworks and "numpy" not in program.names.roots else "transpose"
        usable = owner is not None and program.names.qualified(owner) is None and method == "permute"
        text = f"{program.source.segment(owner)}.permute({axes})" if usable and owner is not None else ""
        return self.finding(
            program, call, message, fix=replace_node(program, call, text, "move the axes") if text else None
        )


def _written_order(program: Program, call: ast.Call, owner: ast.expr) -> tuple[int, ...] | None:
    """The axes in their new order, where each size is named for an axis of the same tensor."""
    places = [_axis_of(program, one, owner, call) for one in call.args]
    axes = [place for place in places if place is not None]
    if len(axes) != len(places) or len(axes) < _FEWEST or sorted(axes) != list(range(len(axes))):
        return None
    return tuple(axes) if axes != sorted(axes) else None


def _axis_of(program: Program, size: ast.expr, owner: ast.expr, call: ast.Call) -> int | None:
    name = dotted(owner)
    if isinstance(size, ast.Call) and method_of(size) == "size" and dotted(receiver_of(size)) == name and name:
        return _number(size.args[0] if len(size.args) == 1 else None)
    if isinstance(size, ast.Subscript) and written(size.value) == f"{name}.shape":
        return _number(size.slice)
    function = program.enclosing(call, ast.FunctionDef)
    if not isinstance(size, ast.Name) or not isinstance(function, ast.FunctionDef):
        return None
    for node in function.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(target, ast.Tuple) and isinstance(node, ast.Assign) and node.lineno < call.lineno:
            names = [dotted(one) for one in target.elts]
            same = (
                last_assigned(program, name, call_statement) is None
                if (call_statement := _statement(program, call))
                else False
            )
            if size.id in names and written(node.value) in {f"{name}.shape", f"{name}.size()"} and same:
                return names.index(size.id)
    return None


def _statement(program: Program, call: ast.Call) -> ast.stmt | None:
    found = program.enclosing(call, ast.stmt)
    return found if isinstance(found, ast.stmt) else None


def _number(node: ast.AST | None) -> int | None:
    return next((axis for axis in range(6) if is_constant(node, axis)), None)


def _known_order(operation: Operation) -> tuple[int, ...] | None:
    """The same for shapes that are known as numbers; sizes must differ to tell the axes apart."""
    before, after = operation.receiver, operation.result
    if not isinstance(before, Tensor) or not isinstance(after, Tensor) or not before.shape or not after.shape:
        return None
    old, new = before.shape[1:], after.shape[1:]
    if len(old) != len(new) or old == new or not all(isinstance(size, int) and size > 1 for size in old):
        return None
    if sorted(map(str, old)) != sorted(map(str, new)) or len(set(old)) < 2:
        return None
    left = list(range(len(old)))
    order = []
    for size in new:
        place = next(place for place in left if old[place] == size)
        left.remove(place)
        order.append(place + 1)
    return (0, *order)
