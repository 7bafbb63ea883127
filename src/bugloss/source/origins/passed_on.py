"""Calls of libraries that hand a value on: which argument the wanted part comes from."""

from __future__ import annotations

import ast
from collections.abc import Callable

from bugloss.source.origins.parts import EACH, ValuePart, Wanted
from bugloss.source.text.syntax import keyword_of, method_of, receiver_of

PassedOn = tuple[ast.expr, Wanted]
# A number that is only converted is still the one that somebody typed.
_CONVERTED = {"float", "int", "abs", "str", "bool", "deepcopy", "copy", "tqdm", "vars"}
# Of these only a part comes from the argument; the whole is made by the call.
_COLLECTED = {
    *("list", "tuple", "sorted", "reversed", "set", "iter", "array", "asarray", "tensor", "as_tensor", "from_numpy"),
    *("DataLoader", "Subset", "FloatTensor", "LongTensor", "dict", "OrderedDict", "EasyDict", "DotMap", "Munch"),
    *("convert_to_tensor", "constant", "stack", "concatenate", "cat"),
}
# Methods that return their object, or an object with the same attributes and elements.
_RETURNING_SELF = {
    *("to", "cuda", "cpu", "eval", "train", "float", "double", "half", "requires_grad_", "share_memory", "copy"),
    *("shuffle", "batch", "prefetch", "cache", "repeat", "take", "skip", "values", "with_format", "numpy", "tolist"),
}


def returned_object(call: ast.Call) -> ast.expr | None:
    """The object that a method returns: ``net`` of ``net.to(device)``."""
    return receiver_of(call) if method_of(call) in _RETURNING_SELF else None


def passed_on(call: ast.Call, wanted: Wanted) -> PassedOn | None:
    """The argument, or the object of a method, that a call returns unchanged; None where the call makes the value."""
    name = method_of(call)
    if name in _CONVERTED and call.args:
        return call.args[0], wanted
    if name in _BY_NAME:
        return _BY_NAME[name](call, wanted)
    if not wanted:
        return None
    receiver = returned_object(call)
    if receiver is not None:
        return receiver, wanted
    if name in _COLLECTED:
        given = call.args[0] if call.args else keyword_of(call, "dataset")
        return (given, wanted) if given is not None else _keyword(call, wanted)
    return _keyword(call, wanted)


def _keyword(call: ast.Call, wanted: Wanted) -> PassedOn | None:
    """``SimpleNamespace(lr=0.1).lr``, ``dict(lr=0.1)["lr"]``."""
    named = keyword_of(call, wanted[0].key) if isinstance(wanted[0].key, str) else None
    return None if named is None else (named, wanted[1:])


def _numbered(call: ast.Call, wanted: Wanted) -> PassedOn | None:
    if wanted[:2] == (EACH, ValuePart(1)) and call.args:
        return call.args[0], (EACH, *wanted[2:])
    return None


def _side_by_side(call: ast.Call, wanted: Wanted) -> PassedOn | None:
    """The i-th item of each element comes from the i-th argument."""
    if len(wanted) > 1 and wanted[0] == EACH and isinstance(wanted[1].key, int) and wanted[1].key < len(call.args):
        return call.args[wanted[1].key], (EACH, *wanted[2:])
    return None


def _slices(call: ast.Call, wanted: Wanted) -> PassedOn | None:
    """``from_tensor_slices((x, y))``: items of each element are elements of the items."""
    if len(wanted) > 1 and wanted[0] == EACH and call.args:
        return call.args[0], (wanted[1], EACH, *wanted[2:])
    return None


def _entries(call: ast.Call, wanted: Wanted) -> PassedOn | None:
    receiver = receiver_of(call)
    return (receiver, (EACH, *wanted[2:])) if receiver is not None and wanted[:2] == (EACH, ValuePart(1)) else None


def _next_element(call: ast.Call, wanted: Wanted) -> PassedOn | None:
    return (call.args[0], (EACH, *wanted)) if call.args else None


def _split(call: ast.Call, wanted: Wanted) -> PassedOn | None:
    """``random_split`` gives parts of one data set."""
    return (call.args[0], wanted[1:]) if call.args and len(wanted) > 1 else None


def _split_pairs(call: ast.Call, wanted: Wanted) -> PassedOn | None:
    """``train_test_split(x, y)`` gives two parts of each argument."""
    if wanted and isinstance(wanted[0].key, int) and 0 <= wanted[0].key // 2 < len(call.args):
        return call.args[wanted[0].key // 2], wanted[1:]
    return None


def _looked_up(call: ast.Call, wanted: Wanted) -> PassedOn | None:
    """``config.get("lr", 0.1)``, ``getattr(args, "lr")``."""
    by_name = method_of(call) == "getattr"
    owner = call.args[0] if by_name and call.args else receiver_of(call)
    key = call.args[by_name] if len(call.args) > by_name else None
    if owner is None or not isinstance(key, ast.Constant) or not isinstance(key.value, str):
        return None
    return owner, (ValuePart(key.value, attribute=by_name), *wanted)


def fallback_of(call: ast.Call) -> ast.expr | None:
    """What a look-up gives where nothing is found: ``0.1`` of ``config.get("lr", 0.1)``."""
    if _BY_NAME.get(method_of(call)) is not _looked_up:
        return None
    position = 2 if method_of(call) == "getattr" else 1
    return call.args[position] if len(call.args) > position else keyword_of(call, "default")


_BY_NAME: dict[str, Callable[[ast.Call, Wanted], PassedOn | None]] = {
    "enumerate": _numbered, "zip": _side_by_side, "TensorDataset": _side_by_side, "from_tensor_slices": _slices,
    "items": _entries, "next": _next_element, "random_split": _split, "train_test_split": _split_pairs,
    "get": _looked_up, "getattr": _looked_up, "getenv": _looked_up,
}  # fmt: skip
