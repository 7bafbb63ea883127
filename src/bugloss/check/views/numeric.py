"""Numeric formulas in source: which calls are logarithms, sums, squares …, and where a range comes from."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.source.lookback import made_by, operand_node, short
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, walk
from bugloss.source.values.values import UNKNOWN, Constant, Layer, Operation, Tensor, Value, text_of

LIBRARIES = ("torch", "numpy", "tensorflow", "keras.ops", "keras.backend", "jax.numpy")
LOGS = tuple(f"{library}.{name}" for library in (*LIBRARIES, "Tensor") for name in ("log", "log2", "log10"))
SQUARE_ROOTS = (*(f"{library}.sqrt" for library in LIBRARIES), "Tensor.sqrt", "Tensor.rsqrt", "torch.rsqrt")
WHERES = ("torch.where", "tensorflow.where", "keras.ops.where", "jax.numpy.where")
# Activations whose output reaches the ends of their range in floating point.
_REACHING = {
    "softmax": "softmax",
    "sigmoid": "sigmoid",
    "relu": "relu",
    "relu6": "relu",
    "tanh": "tanh",
    "hardsigmoid": "hardsigmoid",
    "logsoftmax": "log_softmax",
    "clamp": "clamp",
    "clip": "clip",
    "clip_by_value": "clip_by_value",
}
# Operations that hand a range on without averaging it away.
_PASSING = {"add", "sub", "mult", "neg", "div", "getitem", "reshape", "view", "squeeze", "unsqueeze", "expand_dims"} | {
    "gather", "flatten", "transpose", "permute", "to", "float", "cast", "astype", "cpu", "detach", "numpy",
    "contiguous", "dropout", "subtract", "multiply", "negative", "square", "pow", "identity",
}  # fmt: skip


def logarithms(program: Program) -> Iterator[Operation]:
    """Logarithms of arrays, each way in which they were reached."""
    yield from program.all_calls(*LOGS)


def cause_of_range(value: Value) -> str | None:
    """What bounds the value, when that is something which does reach its bounds: an activation or known data."""
    current = value
    for _ in range(12):
        if not isinstance(current, Tensor):
            return None
        name = short(current.made_by).lower()
        activation = _activation(current)
        if activation is not None:
            return activation
        if "random" in current.facts:
            return None
        if name in {"array", "arange", "linspace", "tensor", "constant", "randint", "load_data"}:
            return "known data"
        if name in {"sum", "reduce_sum"} and made_by(_bounded_input(current), "relu"):
            return "relu"
        if name not in _PASSING:
            return None
        current = _bounded_input(current)
    return None


def _bounded_input(tensor: Tensor) -> Value:
    return next((value for value in tensor.inputs if isinstance(value, Tensor) and value.interval.known), UNKNOWN)


def _activation(tensor: Tensor) -> str | None:
    name = short(tensor.made_by).lower()
    if name in _REACHING:
        return _REACHING[name]
    layer = tensor.inputs[1] if len(tensor.inputs) > 1 else None
    if isinstance(layer, Layer):
        kind = text_of(layer.arguments.get("activation", Constant(None)))
        return _REACHING.get(layer.name.lower()) or (_REACHING.get(kind) if kind else None)
    return None


def shown_range(tensor: Tensor) -> str:
    """``between 0 and 1``, ``at least 0``."""
    low, high = tensor.interval.low, tensor.interval.high
    if high == float("inf"):
        return f"at least {low:g}"
    if low == float("-inf"):
        return f"at most {high:g}"
    return f"between {low:g} and {high:g}"


# ── formulas as they are written ────────────────────────────────────────────────────────────────────────────


def is_number(node: ast.AST | None, value: float) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in {int, float} and node.value == value


def definition(program: Program, node: ast.expr) -> ast.expr:
    """What a local variable was assigned, when that happened once in its function; else the node itself."""
    if not isinstance(node, ast.Name):
        return node
    found = assignments(program, node)
    return found[0] if len(found) == 1 else node


def assignments(program: Program, name: ast.Name) -> list[ast.expr]:
    """All expressions that are assigned to a variable in the function (or module) that uses it."""
    owner = program.enclosing(name, ast.FunctionDef, ast.AsyncFunctionDef)
    return program.remembered(_assigned).get((owner, name.id), [])


def _assigned(program: Program) -> dict[tuple[ast.AST | None, str], list[ast.expr]]:
    """Assigned expressions by function and variable; a variable that is also taken out of a tuple has none."""
    found: dict[tuple[ast.AST | None, str], list[ast.expr]] = {}
    unclear: set[tuple[ast.AST | None, str]] = set()
    for node in program.nodes[ast.Assign]:
        assert isinstance(node, ast.Assign)
        owner = program.enclosing(node, ast.FunctionDef, ast.AsyncFunctionDef)
        for target in node.targets:
            if isinstance(target, ast.Name):
                found.setdefault((owner, target.id), []).append(node.value)
            else:
                unclear |= {(owner, part.id) for part in walk(target) if isinstance(part, ast.Name)}
    return {key: values for key, values in found.items() if key not in unclear}


def argument_of(program: Program, node: ast.AST, *names: str) -> ast.expr | None:
    """What a call of one of these functions or methods works on: ``np.sum(x)`` and ``x.sum()`` give ``x``."""
    if not isinstance(node, ast.Call) or method_of(node) not in names:
        return None
    if isinstance(node.func, ast.Attribute) and program.names.qualified(node.func) is None:
        return node.func.value
    return node.args[0] if node.args else None


def square_of(program: Program, node: ast.AST) -> ast.expr | None:
    """``x`` of ``x ** 2``, ``x * x``, ``np.square(x)``, ``x.pow(2)``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and is_number(node.right, 2):
        return node.left
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and same_text(node.left, node.right):
        return node.left
    if isinstance(node, ast.Call) and method_of(node) == "pow" and node.args and is_number(node.args[-1], 2):
        return argument_of(program, node, "pow")
    return argument_of(program, node, "square")


def same_text(first: ast.AST, second: ast.AST) -> bool:
    return ast.dump(first) == ast.dump(second)


def in_loss(program: Program, operation: Operation) -> bool:
    """Whether the operation is in a function or class that is named as a loss."""
    return any("loss" in place.lower() for place in operation.inside if place.startswith(("function:", "class:"))) or (
        "loss" in getattr(program.enclosing(operation.node, ast.ClassDef), "name", "").lower()
    )


def names_argument(operation: Operation) -> ast.expr:
    """The expression a numeric operation works on, or the whole operation when it is not written as a call."""
    return operand_node(operation) or operation.node
