"""What is known of each kind of expression."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from bugloss.source.follow.call import Evaluator, PassedArguments, passed
from bugloss.source.follow.flow import LONGEST_UNROLL, element_of, elements, item_of, join
from bugloss.source.follow.scope import Scope
from bugloss.source.text.names import canonical
from bugloss.source.values.arithmetic import LONGEST
from bugloss.source.values.values import (
    UNKNOWN,
    Constant,
    FunctionValue,
    Items,
    Model,
    Other,
    Reference,
    TableValue,
    Tensor,
    Value,
    is_plain,
    number_of,
    text_of,
    truth_of,
)

_NUMBER_TYPES = {"bool", "float", "int"}  # they name dtypes too
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


def constant(interpreter: Evaluator, node: ast.Constant, scope: Scope) -> Value:
    return Constant(node.value, node)


def name(interpreter: Evaluator, node: ast.Name, scope: Scope) -> Value:
    found = scope.get(node.id)
    if found is not None:
        return found
    imported = interpreter.names.imported.get(node.id)
    if imported is None and node.id in _NUMBER_TYPES:
        return Reference(f"builtins.{node.id}")
    return _reference(imported) if imported else UNKNOWN


@lru_cache(maxsize=4096)
def _reference(name: str) -> Reference:
    """The same object each time a name is met: the values of a file are mostly such references."""
    return Reference(canonical(name))


def attribute(interpreter: Evaluator, node: ast.Attribute, scope: Scope) -> Value:
    owner = interpreter.value(node.value, scope)
    if isinstance(owner, Reference):
        return _of_reference(interpreter, _reference(f"{owner.name}.{node.attr}"))
    return interpreter.attribute(owner, node.attr, node)


def _of_reference(interpreter: Evaluator, reference: Reference) -> Value:
    known = interpreter.semantics.get(f"constant {reference.name}")
    return known(None) if known else reference  # type: ignore[arg-type]


def sequence(interpreter: Evaluator, node: ast.Tuple | ast.List, scope: Scope) -> Value:
    items: list[Value] = []
    for element in node.elts:
        if isinstance(element, ast.Starred):
            spread = interpreter.value(element.value, scope)
            if not isinstance(spread, Items) or not spread.complete:
                return UNKNOWN
            items += spread.items
            if len(items) > LONGEST:
                return UNKNOWN
        else:
            items.append(interpreter.value(element, scope))
    return Items(items, isinstance(node, ast.Tuple))


def dictionary(interpreter: Evaluator, node: ast.Dict, scope: Scope) -> Value:
    items: dict[Any, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        known = interpreter.value(key, scope) if key is not None else UNKNOWN
        content = interpreter.value(value, scope)
        if isinstance(known, Constant) and is_plain(known.value):
            items[known.value] = content
        elif isinstance(known, Tensor) and key is not None:
            interpreter.record("feed", key, passed(known, content))
    return TableValue(items)


def binary_operation(interpreter: Evaluator, node: ast.BinOp, scope: Scope) -> Value:
    left, right = interpreter.value(node.left, scope), interpreter.value(node.right, scope)
    return interpreter.arithmetic(node, node.op, left, right)


def unary_operation(interpreter: Evaluator, node: ast.UnaryOp, scope: Scope) -> Value:
    operand = interpreter.value(node.operand, scope)
    if isinstance(node.op, ast.Not):
        known = truth_of(operand)
        return UNKNOWN if known is None else Constant(not known, node)
    number = number_of(operand)
    if number is not None and isinstance(node.op, (ast.USub, ast.UAdd)):
        return Constant(-number if isinstance(node.op, ast.USub) else number, node)
    if isinstance(operand, Tensor) and isinstance(node.op, ast.USub):
        return interpreter.record("operator.neg", node, passed(operand))
    return UNKNOWN


def comparison(interpreter: Evaluator, node: ast.Compare, scope: Scope) -> Value:
    values = [interpreter.value(part, scope) for part in (node.left, *node.comparators)]
    result = interpreter.record("compare", node, passed(*values))
    numbers = [number_of(value) for value in values]
    if len(numbers) == 2 and None not in numbers and type(node.ops[0]) in _COMPARE:
        return Constant(_COMPARE[type(node.ops[0])](*numbers), node)
    # Texts are compared only for what a library's call gave: a default such as mode="train" must not hide a branch.
    texts = [text_of(value) for value in values] if isinstance(node.left, ast.Call) else []
    if len(texts) == 2 and None not in texts and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        return Constant((texts[0] == texts[1]) == isinstance(node.ops[0], ast.Eq), node)
    return result


def boolean_operation(interpreter: Evaluator, node: ast.BoolOp, scope: Scope) -> Value:
    known = [truth_of(interpreter.value(part, scope)) for part in node.values]
    if isinstance(node.op, ast.And):
        return Constant(False) if False in known else (UNKNOWN if None in known else Constant(True))
    return Constant(True) if True in known else (UNKNOWN if None in known else Constant(False))


def conditional(interpreter: Evaluator, node: ast.IfExp, scope: Scope) -> Value:
    known = truth_of(interpreter.value(node.test, scope))
    if known is not None:
        return interpreter.value(node.body if known else node.orelse, scope)
    return join(interpreter.value(node.body, scope), interpreter.value(node.orelse, scope))


def subscript(interpreter: Evaluator, node: ast.Subscript, scope: Scope) -> Value:
    owner = interpreter.value(node.value, scope)
    if isinstance(owner, Reference):
        return UNKNOWN
    key = interpreter.value(node.slice, scope)
    if isinstance(owner, Items):
        return item_of(owner, key)
    if isinstance(owner, TableValue) and isinstance(key, Constant) and is_plain(key.value):
        return owner.items.get(key.value, UNKNOWN)
    if isinstance(owner, Model) and owner.style == "sequential" and isinstance(number_of(key), int):
        index = int(number_of(key) or 0)
        return owner.layers[index] if owner.complete and -len(owner.layers) <= index < len(owner.layers) else UNKNOWN
    return interpreter.record("getitem", node, passed(owner, key), owner)


def slice_(interpreter: Evaluator, node: ast.Slice, scope: Scope) -> Value:
    parts = [
        interpreter.value(part, scope) if part is not None else Constant(None)
        for part in (node.lower, node.upper, node.step)
    ]
    return Other("slice", dict(zip(("lower", "upper", "step"), parts, strict=True)), node)


def lambda_(interpreter: Evaluator, node: ast.Lambda, scope: Scope) -> Value:
    return FunctionValue(node, scope)


def comprehension(interpreter: Evaluator, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, scope: Scope) -> Value:
    inner = Scope(scope)
    generator = node.generators[0]
    literal = elements(interpreter.value(generator.iter, scope))
    if literal is not None and len(node.generators) == 1 and not generator.ifs and len(literal) <= LONGEST_UNROLL:
        items = []
        for element in literal:
            interpreter.bind(generator.target, element, inner)
            with interpreter.within("round"):
                items.append(interpreter.value(node.elt, inner))
        return Items(items) if isinstance(node, ast.ListComp) else UNKNOWN
    for part in node.generators:
        interpreter.bind(part.target, element_of(interpreter.value(part.iter, inner)), inner)
        for condition in part.ifs:
            interpreter.value(condition, inner)
    with interpreter.within("loop"):
        interpreter.value(node.elt, inner)
    return UNKNOWN


def await_(interpreter: Evaluator, node: ast.Await, scope: Scope) -> Value:
    return interpreter.value(node.value, scope)


def yield_(interpreter: Evaluator, node: ast.Yield, scope: Scope) -> Value:
    value = interpreter.value(node.value, scope) if node.value is not None else Constant(None)
    interpreter.yielded[-1].append(value)
    return UNKNOWN


def named_expression(interpreter: Evaluator, node: ast.NamedExpr, scope: Scope) -> Value:
    value = interpreter.value(node.value, scope)
    interpreter.bind(node.target, value, scope)
    return value


def call(interpreter: Evaluator, node: ast.Call, scope: Scope) -> Value:
    if isinstance(node.func, ast.Name) and node.func.id == "super" and scope.get("super") is None:
        return Other("super", {}, node)
    function = interpreter.value(node.func, scope)
    return interpreter.call(function, _arguments(interpreter, node, scope), node)


def _arguments(interpreter: Evaluator, node: ast.Call, scope: Scope) -> PassedArguments:
    positional: list[Value] = []
    starred = False
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            spread = interpreter.value(argument.value, scope)
            if isinstance(spread, Items) and spread.complete and not starred:
                positional += spread.items
            else:
                starred = True
        elif not starred:
            positional.append(interpreter.value(argument, scope))
        else:
            interpreter.value(argument, scope)
    keywords: dict[str, Value] = {}
    for keyword in node.keywords:
        value = interpreter.value(keyword.value, scope)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        elif isinstance(value, TableValue) and all(isinstance(key, str) for key in value.items):
            keywords.update(value.items)
        else:
            starred = True
    return PassedArguments(positional, keywords, starred)


EXPRESSIONS: dict[type[ast.AST], Callable[[Evaluator, Any, Scope], Value]] = {
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: attribute,
    ast.Tuple: sequence,
    ast.Dict: dictionary,
    ast.BinOp: binary_operation,
    ast.UnaryOp: unary_operation,
    ast.Compare: comparison,
    ast.BoolOp: boolean_operation,
    ast.IfExp: conditional,
    ast.Subscript: subscript,
    ast.Slice: slice_,
    ast.Lambda: lambda_,
    ast.ListComp: comprehension,
    ast.Await: await_,
    ast.Yield: yield_,
    ast.NamedExpr: named_expression,
    ast.List: sequence,
    ast.GeneratorExp: comprehension,
    ast.SetComp: comprehension,
    ast.Call: call,
}
