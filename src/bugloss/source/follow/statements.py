"""What each kind of statement does to the variables."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import compress
from operator import is_not
from typing import Any

from bugloss.source.follow.call import Evaluator
from bugloss.source.follow.flow import LONGEST_UNROLL, assigned_names, element_of, elements, forgotten, join
from bugloss.source.follow.scope import Returned, Scope
from bugloss.source.text.names import Names
from bugloss.source.text.syntax import walk, written
from bugloss.source.values.values import UNKNOWN, ClassValue, Constant, FunctionValue, Items, Tensor, Value, truth_of


def bare_expression(interpreter: Evaluator, node: ast.Expr, scope: Scope) -> None:
    interpreter.value(node.value, scope)


def assignment(interpreter: Evaluator, node: ast.Assign, scope: Scope) -> None:
    value = interpreter.value(node.value, scope)
    for target in node.targets:
        interpreter.bind(target, value, scope)


def annotated_assignment(interpreter: Evaluator, node: ast.AnnAssign, scope: Scope) -> None:
    if node.value is not None:
        interpreter.bind(node.target, interpreter.value(node.value, scope), scope)


def augmented_assignment(interpreter: Evaluator, node: ast.AugAssign, scope: Scope) -> None:
    left = interpreter.value(_as_load(node.target), scope)
    right = interpreter.value(node.value, scope)
    expression = ast.copy_location(ast.BinOp(_as_load(node.target), node.op, node.value), node)
    interpreter.bind(node.target, interpreter.arithmetic(expression, node.op, left, right), scope)


def return_(interpreter: Evaluator, node: ast.Return, scope: Scope) -> None:
    raise Returned(interpreter.value(node.value, scope) if node.value else Constant(None))


def branch(interpreter: Evaluator, node: ast.If, scope: Scope) -> None:
    known = truth_of(interpreter.value(node.test, scope))
    if _is_main_guard(node.test):
        known = True
    if known is not None:
        interpreter.block(node.body if known else node.orelse, scope)
        return
    before = dict(scope.variables)
    returned = _branch(interpreter, node.body, scope)
    after_body, scope.variables = scope.variables, dict(before)
    returned_else = _branch(interpreter, node.orelse, scope)
    if returned is not None and returned_else is not None:
        raise Returned(join(returned.value, returned_else.value))
    if returned is not None:
        return  # what follows is reached only through the other side
    if returned_else is not None:
        scope.variables = after_body
        return
    _join_into(scope.variables, after_body)


def _join_into(variables: dict[str, Value], other: dict[str, Value]) -> None:
    """Leaves what holds on both ways. Most variables are the same on both, and a file may have thousands of them."""
    differs = map(is_not, other.values(), map(variables.get, other))
    for name in list(compress(other, differs)):
        variables[name] = join(other[name], variables.get(name, UNKNOWN))
    for name in variables.keys() - other.keys():
        variables[name] = UNKNOWN


def _branch(interpreter: Evaluator, body: Sequence[ast.stmt], scope: Scope) -> Returned | None:
    with interpreter.within("branch"):
        try:
            interpreter.block(body, scope)
        except Returned as returned:
            return returned
    return None


def for_loop(interpreter: Evaluator, node: ast.For, scope: Scope) -> None:
    iterated = interpreter.value(node.iter, scope)
    literal = elements(iterated)
    if literal is not None and len(literal) <= LONGEST_UNROLL and _builds(node.body):
        for element in literal:
            interpreter.bind(node.target, element, scope)
            with interpreter.within("round"):
                interpreter.block(node.body, scope)
    else:
        _forget_assigned(node.body, scope)
        interpreter.bind(node.target, element_of(iterated), scope)
        with interpreter.within("loop"):
            interpreter.block(node.body, scope)
    interpreter.block(node.orelse, scope)


def while_loop(interpreter: Evaluator, node: ast.While, scope: Scope) -> None:
    interpreter.value(node.test, scope)
    _forget_assigned(node.body, scope)
    with interpreter.within("loop"):
        interpreter.block(node.body, scope)
    interpreter.block(node.orelse, scope)


def _forget_assigned(body: Sequence[ast.stmt], scope: Scope) -> None:
    """A body is walked once; numbers and texts that it reassigns are unknown, because later rounds change them."""
    before = dict(scope.variables)
    for name in assigned_names(body):
        if isinstance(before.get(name), (Constant, Items, Tensor)):
            scope.variables[name] = forgotten(before[name])


def with_block(interpreter: Evaluator, node: ast.With, scope: Scope) -> None:
    entered = []
    for item in node.items:
        value = interpreter.value(item.context_expr, scope)
        entered.append(context_name(value, item.context_expr, interpreter.names))
        if item.optional_vars is not None:
            interpreter.bind(item.optional_vars, value, scope)
    with interpreter.within(*filter(None, entered)):
        interpreter.block(node.body, scope)


def try_block(interpreter: Evaluator, node: ast.Try, scope: Scope) -> None:
    interpreter.block(node.body, scope)
    for handler in node.handlers:
        _perhaps(interpreter, handler.body, scope)
    interpreter.block(node.orelse, scope)
    interpreter.block(node.finalbody, scope)


def match_statement(interpreter: Evaluator, node: ast.Match, scope: Scope) -> None:
    interpreter.value(node.subject, scope)
    for case in node.cases:
        captured = [getattr(part, "name", None) or getattr(part, "rest", None) for part in walk(case.pattern)]
        scope.variables.update({name: UNKNOWN for name in captured if name})
        _perhaps(interpreter, case.body, scope)


def _perhaps(interpreter: Evaluator, body: Sequence[ast.stmt], scope: Scope) -> None:
    """A block that may be walked or not; one that leaves says nothing about what follows."""
    before = dict(scope.variables)
    returned = _branch(interpreter, body, scope)
    after, scope.variables = scope.variables, before
    if returned is None and not isinstance(body[-1], (ast.Raise, ast.Continue, ast.Break)):
        _join_into(scope.variables, after)


def function_definition(interpreter: Evaluator, node: ast.FunctionDef, scope: Scope) -> None:
    decorated = any(not _transparent(interpreter.names.qualified(_called(d))) for d in node.decorator_list)
    function = FunctionValue(node, scope)
    interpreter.functions.append(function)
    for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
        interpreter.value(default, scope)
    scope.variables[node.name] = UNKNOWN if decorated else function


def class_definition(interpreter: Evaluator, node: ast.ClassDef, scope: Scope) -> None:
    bases = tuple(_base_name(interpreter, base, scope) for base in node.bases)
    methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
    for base in node.bases:  # methods of a base class in the same file
        parent = scope.get(base.id) if isinstance(base, ast.Name) else None
        if isinstance(parent, ClassValue):
            methods = {**parent.methods, **methods}
            bases += parent.bases
    class_ = ClassValue(node, bases, methods, scope)
    interpreter.classes.append(class_)
    scope.variables[node.name] = class_


def _base_name(interpreter: Evaluator, base: ast.expr, scope: Scope) -> str:
    return interpreter.names.qualified(base) or written(base)


def deletion(interpreter: Evaluator, node: ast.Delete, scope: Scope) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            scope.variables.pop(target.id, None)


def global_names(interpreter: Evaluator, node: ast.Global, scope: Scope) -> None:
    for name in node.names:
        scope.variables[name] = UNKNOWN


def assertion(interpreter: Evaluator, node: ast.Assert, scope: Scope) -> None:
    interpreter.value(node.test, scope)


def raise_(interpreter: Evaluator, node: ast.Raise, scope: Scope) -> None:
    if node.exc is not None:
        interpreter.value(node.exc, scope)


def context_name(value: Value, node: ast.expr, names: Names) -> str | None:
    """How a ``with`` block is called in ``Operation.inside``: its function's short name."""
    called = names.qualified(_called(node))
    if called is not None:
        return called.rsplit(".", 1)[-1]
    target = _called(node)
    return target.attr if isinstance(target, ast.Attribute) else None


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


_TRANSPARENT = {
    "functools.lru_cache",
    "functools.wraps",
    "jax.jit",
    "tensorflow.function",
    "torch.compile",
    "torch.enable_grad",
    "torch.inference_mode",
    "torch.jit.script",
    "torch.no_grad",
}


def _transparent(decorator: str | None) -> bool:
    """Decorators that leave a function's meaning alone."""
    if decorator is None:
        return False
    return decorator in _TRANSPARENT


def _as_load(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    if isinstance(target, ast.Attribute):
        return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
    if isinstance(target, ast.Subscript):
        return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
    return target


_NOT_BUILDING = {
    "backward",
    "step",
    "fit",
    "zero_grad",
    "train_on_batch",
    "run",
    "apply_gradients",
    "minimize",
    "gradient",
}


def _builds(body: Sequence[ast.stmt]) -> bool:
    """Whether a loop over a literal is worth walking round by round: it builds a network rather than trains one."""
    for statement in body:
        for node in walk(statement):
            if isinstance(node, (ast.Break, ast.Continue)):
                return False
            if isinstance(node, ast.Attribute) and node.attr in _NOT_BUILDING:
                return False
    return True


def _is_main_guard(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


STATEMENTS: dict[type[ast.AST], Callable[[Evaluator, Any, Scope], None]] = {
    ast.Expr: bare_expression,
    ast.Assign: assignment,
    ast.AnnAssign: annotated_assignment,
    ast.AugAssign: augmented_assignment,
    ast.Return: return_,
    ast.If: branch,
    ast.For: for_loop,
    ast.While: while_loop,
    ast.With: with_block,
    ast.Try: try_block,
    ast.TryStar: try_block,
    ast.Match: match_statement,
    ast.FunctionDef: function_definition,
    ast.ClassDef: class_definition,
    ast.Delete: deletion,
    ast.Global: global_names,
    ast.Assert: assertion,
    ast.Raise: raise_,
    ast.AsyncFor: for_loop,
    ast.AsyncWith: with_block,
    ast.AsyncFunctionDef: function_definition,
}
