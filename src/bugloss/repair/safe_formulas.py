"""Formulas whose value or gradient is infinite somewhere, written so that they are not: found without a cause's line.

A recording says that NaN or infinity came up, and where it was first seen; the formula that made it is often elsewhere:
its value was fine, and its gradient was not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.core.network.optimizer import names_with_epsilon
from bugloss.source.above_zero import SMALL, raised_argument
from bugloss.source.editing import add_argument, replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of, receiver_of, walk

_INSIDE = "1e-6"  # the smallest step below one whose arc cosine has a gradient that single precision can hold
_HALF_EPSILON = "1e-4"  # half precision rounds 1e-8, the usual one, to zero
_ARCS = {"acos", "asin", "arccos", "arcsin"}
_UNBOUNDED = {"log", "sqrt", "log2", "log10", "rsqrt"}
_BOUNDING = {
    "clip", "clamp", "clip_by_value", "maximum", "clamp_min", "exp", "softplus", "relu", "max", "where", "softmax",
}  # fmt: skip
_DIVISORS = {"norm", "sum", "reduce_sum", "std", "reduce_std", "sqrt", "l2_norm"}
_HALF = re.compile(r"\bfloat16\b|\.half\(|\bhalf\b")
_LIBRARIES = ("tensorflow", "keras", "torch")


def safe_formulas(module: SourceModule) -> Iterator[Edit]:
    """Every such edit of a file, those that only act where the formula has no finite value first."""
    yield from _losses_without_path(module)
    yield from _chosen_after(module)
    yield from _masks(module)
    yield from _arcs(module)
    yield from _half_precision(module)
    yield from _roots_and_logarithms(module)
    yield from _quotients(module)


def _losses_without_path(module: SourceModule) -> Iterator[Edit]:
    """CTC is infinite for a target that is longer than its input; ``zero_infinity`` leaves such samples out."""
    for call in module.called("CTCLoss", "ctc_loss"):
        is_torch = (module.names.qualified(call.func) or "").startswith("torch.")
        edit = add_argument(module, call, "zero_infinity=True") if is_torch else None
        if edit is not None and keyword_of(call, "zero_infinity") is None:
            yield edit


def _chosen_after(module: SourceModule) -> Iterator[Edit]:
    """``where(c, log(x), 0)``: the gradient of the branch that is not chosen is infinity times zero.

    The argument is made harmless before, where the condition does not hold.
    """
    for call in module.called("where"):
        library = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        if len(call.args) != 3 or not _is_framework(module, call) or not library:
            continue
        condition = module.source.segment(call.args[0])
        for node in walk(call.args[1]):
            if isinstance(node, ast.Call) and method_of(node) in _UNBOUNDED and _argument(node) is not None:
                inner = _argument(node)
                if inner is not None and not _is_bounded(inner):
                    text = module.source.segment(inner)
                    harmless = f"{library}.ones_like({text})"
                    yield replace_node(module, inner, f"{library}.where({condition}, {text}, {harmless})")


def _masks(module: SourceModule) -> Iterator[Edit]:
    """Scores are masked with the smallest number instead of -infinity: a softmax over nothing but -infinity is NaN."""
    for call in module.called("masked_fill", "masked_fill_"):
        owner, given = receiver_of(call), call.args[1] if len(call.args) > 1 else keyword_of(call, "value")
        if given is not None and owner is not None and _is_minus_infinity(given) and "torch" in module.names.imported:
            yield replace_node(module, given, f"torch.finfo({module.source.segment(owner)}.dtype).min")


def _is_minus_infinity(node: ast.expr) -> bool:
    text = ast.unparse(node).replace('"', "'").replace(" ", "").lower()
    return text in {"float('-inf')", "-float('inf')", "-math.inf", "-np.inf", "-numpy.inf", "-torch.inf", "-inf"}


def _arcs(module: SourceModule) -> Iterator[Edit]:
    """The gradient of an arc cosine is infinite at -1 and 1, and rounding leads beyond."""
    for call in module.called(*_ARCS):
        inner = _argument(call)
        if inner is None or _is_bounded(inner) or not _is_framework(module, call, method=True):
            continue
        text, bounds = module.source.segment(inner), f"-1 + {_INSIDE}, 1 - {_INSIDE}"
        qualified = module.names.qualified(call.func) or ""
        root = ast.unparse(call.func).split(".")[0]
        if qualified.startswith("tensorflow."):
            yield replace_node(module, inner, f"{root}.clip_by_value({text}, {bounds})")
        elif qualified.startswith("keras."):
            yield replace_node(module, inner, f"{ast.unparse(call.func).rsplit('.', 1)[0]}.clip({text}, {bounds})")
        else:
            plain = isinstance(inner, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
            yield replace_node(module, inner, f"{text if plain else f'({text})'}.clamp({bounds})")


def _half_precision(module: SourceModule) -> Iterator[Edit]:
    """Adam and its relatives divide by their epsilon alone in half precision, where its default is zero."""
    if not _HALF.search(module.source.text):
        return
    for call in module.called(*names_with_epsilon()):
        name = "eps" if (module.names.qualified(call.func) or "").startswith("torch.") else "epsilon"
        edit = add_argument(module, call, f"{name}={_HALF_EPSILON}") if keyword_of(call, name) is None else None
        if edit is not None:
            yield edit


def _roots_and_logarithms(module: SourceModule) -> Iterator[Edit]:
    """A root or a logarithm of something that may be zero."""
    for call in module.called(*sorted(_UNBOUNDED)):
        inner = _argument(call)
        if inner is None or _is_bounded(inner) or not _is_framework(module, call, method=True):
            continue
        edit = raised_argument(module, call, *_UNBOUNDED)
        if edit is not None:
            yield edit


def _quotients(module: SourceModule) -> Iterator[Edit]:
    """A quotient by a length, a sum or a deviation that may be zero."""
    for node in module.nodes[ast.BinOp]:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div) or not isinstance(node.right, ast.Call):
            continue
        if method_of(node.right) in _DIVISORS and _is_framework(module, node.right, method=True):
            yield replace_node(module, node.right, f"({module.source.segment(node.right)} + {SMALL})")


def _argument(call: ast.Call) -> ast.expr | None:
    """What a function of one value is applied to: ``x`` of ``torch.log(x)`` and of ``x.log()``."""
    return call.args[0] if call.args else receiver_of(call)


def _is_framework(module: SourceModule, call: ast.Call, *, method: bool = False) -> bool:
    """Whether a call is one of a framework; with ``method`` also one of a value of the program, not of a library."""
    qualified = module.names.qualified(call.func)
    if qualified is None:
        return method and isinstance(call.func, ast.Attribute)
    return qualified.split(".")[0] in _LIBRARIES


def _is_bounded(node: ast.expr) -> bool:
    """Whether a value is kept away from where the formula is infinite: by a function, or by what is added."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return any(isinstance(one, ast.Constant | ast.Name) and _is_small(one) for one in (node.left, node.right))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        return _is_bounded(node.left) and _is_bounded(node.right)
    return isinstance(node, ast.Call) and method_of(node) in _BOUNDING


def _is_small(node: ast.expr) -> bool:
    named = isinstance(node, ast.Name) and re.search(r"eps|tiny|small", node.id, re.IGNORECASE)
    return bool(named) or (isinstance(node, ast.Constant) and isinstance(node.value, int | float))
