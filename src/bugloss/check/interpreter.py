"""Follows a file's values: statements in order, calls into the file's own functions, both sides of a branch.

It never guesses. What it cannot follow becomes ``UNKNOWN``; loops over anything but short literals are walked
once; recursion and depth are cut off; a budget of evaluated nodes bounds the time a file can take.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bugloss.check.names import Names, canonical
from bugloss.check.operation import Call, Conflict, Operation
from bugloss.check.values import (
    UNKNOWN,
    Bound,
    ClassValue,
    Constant,
    FunctionValue,
    Instance,
    Items,
    Layer,
    Loss,
    Model,
    Optimizer,
    Other,
    Reference,
    Table,
    Tensor,
    Value,
    number_of,
    truth_of,
)

BUDGET = 60_000
DEEPEST_CALL = 8
LONGEST_UNROLL = 12
MODULE_BASES = {
    "torch.nn.Module": "torch",
    "keras.Model": "keras",
    "keras.layers.Layer": "keras",
    "keras.Sequential": "keras",
}
LIGHTNING = ("lightning.", "pytorch_lightning.")
FORWARD = {"torch": ("forward",), "keras": ("call",)}

Semantics = dict[str, Callable[[Call], Value]]


class TooComplex(Exception):
    """The budget of this file is used up."""


class Scope:
    """Variables of a function or of the module."""

    __slots__ = ("parent", "receiver", "variables")

    def __init__(self, parent: Scope | None = None) -> None:
        self.variables: dict[str, Value] = {}
        self.parent = parent

    def get(self, name: str) -> Value | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables:
                return scope.variables[name]
            scope = scope.parent
        return None


class _Returned(Exception):
    def __init__(self, value: Value) -> None:
        self.value = value


class Interpreter:
    """Evaluates one file; what it saw is in ``operations``, ``conflicts``, ``models`` and ``optimizers``."""

    def __init__(self, tree: ast.Module, names: Names, semantics: Semantics) -> None:
        self.tree = tree
        self.names = names
        self.semantics = semantics
        self.operations: list[Operation] = []
        self.conflicts: list[Conflict] = []
        self.models: list[Model] = []
        self.optimizers: list[Optimizer] = []
        self.losses: list[Loss] = []
        self.classes: list[ClassValue] = []
        self.functions: list[FunctionValue] = []
        self.inside: list[str] = []
        self.active: list[ast.AST] = []
        self.walked: set[ast.AST] = set()
        self.left = BUDGET
        self.complete = True
        self.scope = Scope()

    def run(self) -> None:
        """The module from top to bottom, then every function and network class that nothing called."""
        try:
            self._block(self.tree.body, self.scope)
            self._walk_what_nobody_called()
        except (TooComplex, RecursionError):
            self.complete = False
        except _Returned:
            pass

    def _walk_what_nobody_called(self) -> None:
        for class_ in list(self.classes):
            if not class_.instantiated and framework_of(class_) is not None:
                self.instantiate(class_, None)
        for model in list(self.models):
            if model.class_ is not None:
                for name, method in model.class_.methods.items():
                    if name != "__init__" and method not in self.walked:
                        self.call_function(FunctionValue(method, model.class_.scope, model), [], {})
        for function in list(self.functions):
            if function.node not in self.walked:
                self.call_function(function, [], {})

    # ── statements ──────────────────────────────────────────────────────────────────────────────────────────

    def _block(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        for statement in body:
            self._statement(statement, scope)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        self._spend()
        handler = getattr(self, f"_do_{type(node).__name__}", None)
        if handler is not None:
            handler(node, scope)

    def _do_Expr(self, node: ast.Expr, scope: Scope) -> None:  # noqa: N802
        self.value(node.value, scope)

    def _do_Assign(self, node: ast.Assign, scope: Scope) -> None:  # noqa: N802
        value = self.value(node.value, scope)
        for target in node.targets:
            self.bind(target, value, scope)

    def _do_AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:  # noqa: N802
        if node.value is not None:
            self.bind(node.target, self.value(node.value, scope), scope)

    def _do_AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:  # noqa: N802
        left = self.value(_as_load(node.target), scope)
        right = self.value(node.value, scope)
        expression = ast.copy_location(ast.BinOp(_as_load(node.target), node.op, node.value), node)
        self.bind(node.target, self._arithmetic(expression, node.op, left, right), scope)

    def _do_Return(self, node: ast.Return, scope: Scope) -> None:  # noqa: N802
        raise _Returned(self.value(node.value, scope) if node.value else Constant(None))

    def _do_If(self, node: ast.If, scope: Scope) -> None:  # noqa: N802
        known = truth_of(self.value(node.test, scope))
        if _is_main_guard(node.test):
            known = True
        if known is not None:
            self._block(node.body if known else node.orelse, scope)
            return
        before = dict(scope.variables)
        returned = self._branch(node.body, scope)
        after_body, scope.variables = scope.variables, dict(before)
        returned_else = self._branch(node.orelse, scope)
        if returned is not None and returned_else is not None:
            raise _Returned(join(returned.value, returned_else.value))
        if returned is not None:
            return  # what follows is reached only through the other side
        if returned_else is not None:
            scope.variables = after_body
            return
        scope.variables = {
            name: join(after_body.get(name, UNKNOWN), scope.variables.get(name, UNKNOWN))
            for name in after_body.keys() | scope.variables.keys()
        }

    def _branch(self, body: Sequence[ast.stmt], scope: Scope) -> _Returned | None:
        with self._within("branch"):
            try:
                self._block(body, scope)
            except _Returned as returned:
                return returned
        return None

    def _do_For(self, node: ast.For, scope: Scope) -> None:  # noqa: N802
        iterated = self.value(node.iter, scope)
        literal = _elements(iterated)
        if literal is not None and len(literal) <= LONGEST_UNROLL and _builds(node.body):
            for element in literal:
                self.bind(node.target, element, scope)
                with self._within("round"):
                    self._block(node.body, scope)
        else:
            self.bind(node.target, element_of(iterated), scope)
            with self._within("loop"):
                self._loop_body(node.body, scope)
        self._block(node.orelse, scope)

    _do_AsyncFor = _do_For

    def _do_While(self, node: ast.While, scope: Scope) -> None:  # noqa: N802
        self.value(node.test, scope)
        with self._within("loop"):
            self._loop_body(node.body, scope)

    def _loop_body(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        """Walks a body once; numbers and texts that it reassigns are unknown, because later rounds change them."""
        before = dict(scope.variables)
        for name in assigned_names(body):
            if isinstance(before.get(name), (Constant, Items, Tensor)):
                scope.variables[name] = _forget(before[name])
        self._block(body, scope)

    def _do_With(self, node: ast.With, scope: Scope) -> None:  # noqa: N802
        entered = []
        for item in node.items:
            value = self.value(item.context_expr, scope)
            entered.append(context_name(value, item.context_expr, self.names))
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value, scope)
        with self._within(*filter(None, entered)):
            self._block(node.body, scope)

    _do_AsyncWith = _do_With

    def _do_Try(self, node: ast.Try, scope: Scope) -> None:  # noqa: N802
        self._block(node.body, scope)
        for handler in node.handlers:
            before = dict(scope.variables)
            self._branch(handler.body, scope)
            scope.variables = before
        self._block(node.orelse, scope)
        self._block(node.finalbody, scope)

    def _do_FunctionDef(self, node: ast.FunctionDef, scope: Scope) -> None:  # noqa: N802
        decorated = any(not _transparent(self.names.qualified(_called(d))) for d in node.decorator_list)
        function = FunctionValue(node, scope)
        self.functions.append(function)
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.value(default, scope)
        scope.variables[node.name] = UNKNOWN if decorated else function

    _do_AsyncFunctionDef = _do_FunctionDef

    def _do_ClassDef(self, node: ast.ClassDef, scope: Scope) -> None:  # noqa: N802
        bases = tuple(self._base_name(base, scope) for base in node.bases)
        methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
        for base in node.bases:  # methods of a base class in the same file
            parent = scope.get(base.id) if isinstance(base, ast.Name) else None
            if isinstance(parent, ClassValue):
                methods = {**parent.methods, **methods}
                bases += parent.bases
        class_ = ClassValue(node, bases, methods, scope)
        self.classes.append(class_)
        scope.variables[node.name] = class_

    def _base_name(self, base: ast.expr, scope: Scope) -> str:
        return self.names.qualified(base) or ast.unparse(base)

    def _do_Delete(self, node: ast.Delete, scope: Scope) -> None:  # noqa: N802
        for target in node.targets:
            if isinstance(target, ast.Name):
                scope.variables.pop(target.id, None)

    def _do_Global(self, node: ast.Global, scope: Scope) -> None:  # noqa: N802
        for name in node.names:
            scope.variables[name] = UNKNOWN

    def _do_Assert(self, node: ast.Assert, scope: Scope) -> None:  # noqa: N802
        self.value(node.test, scope)

    def _do_Raise(self, node: ast.Raise, scope: Scope) -> None:  # noqa: N802
        if node.exc is not None:
            self.value(node.exc, scope)

    # ── binding ─────────────────────────────────────────────────────────────────────────────────────────────

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            scope.variables[target.id] = value
            _name_model(value, target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part, item in zip(target.elts, unpack(value, target.elts), strict=True):
                self.bind(part, item, scope)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, UNKNOWN, scope)
        elif isinstance(target, ast.Attribute):
            owner = self.value(target.value, scope)
            if isinstance(owner, (Model, Instance)):
                owner.attributes[target.attr] = value
            self._record("setattr", target, [owner, Constant(target.attr), value], {}, owner)
        elif isinstance(target, ast.Subscript):
            owner = self.value(target.value, scope)
            key = self.value(target.slice, scope)
            if isinstance(owner, Table) and isinstance(key, Constant) and _hashable(key.value):
                owner.items[key.value] = value
            self._record("setitem", target, [owner, key, value], {}, owner)

    # ── expressions ─────────────────────────────────────────────────────────────────────────────────────────

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """What is known of an expression."""
        self._spend()
        handler = getattr(self, f"_of_{type(node).__name__}", None)
        if handler is None:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self.value(child, scope)
            return UNKNOWN
        return handler(node, scope)  # type: ignore[no-any-return]

    def _of_Constant(self, node: ast.Constant, scope: Scope) -> Value:  # noqa: N802
        return Constant(node.value, node)

    def _of_Name(self, node: ast.Name, scope: Scope) -> Value:  # noqa: N802
        found = scope.get(node.id)
        if found is not None:
            return found
        imported = self.names.imported.get(node.id)
        return Reference(canonical(imported)) if imported else UNKNOWN

    def _of_Attribute(self, node: ast.Attribute, scope: Scope) -> Value:  # noqa: N802
        owner = self.value(node.value, scope)
        if isinstance(owner, Reference):
            return self._of_reference(canonical(f"{owner.name}.{node.attr}"))
        return self.attribute(owner, node.attr, node)

    def _of_reference(self, name: str) -> Value:
        known = self.semantics.get(f"constant {name}")
        return known(None) if known else Reference(name)  # type: ignore[arg-type]

    def attribute(self, owner: Value, name: str, node: ast.expr) -> Value:
        if isinstance(owner, (Model, Instance)) and name in owner.attributes:
            return owner.attributes[name]
        if isinstance(owner, (Model, Instance)) and owner.class_ and name in owner.class_.methods:
            return FunctionValue(owner.class_.methods[name], owner.class_.scope, owner)
        if isinstance(owner, Tensor):
            known = self.semantics.get(f"attribute {name}")
            if known is not None:
                return known(Call(f"Tensor.{name}", node, [owner], {}, interpreter=self, receiver=owner))
        return Bound(owner, name)

    def _of_Tuple(self, node: ast.Tuple | ast.List, scope: Scope) -> Value:  # noqa: N802
        items: list[Value] = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                spread = self.value(element.value, scope)
                if not isinstance(spread, Items) or not spread.complete:
                    return UNKNOWN
                items += spread.items
            else:
                items.append(self.value(element, scope))
        return Items(items, isinstance(node, ast.Tuple))

    _of_List = _of_Tuple

    def _of_Dict(self, node: ast.Dict, scope: Scope) -> Value:  # noqa: N802
        items: dict[Any, Value] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            known = self.value(key, scope) if key is not None else UNKNOWN
            content = self.value(value, scope)
            if isinstance(known, Constant) and _hashable(known.value):
                items[known.value] = content
        return Table(items)

    def _of_BinOp(self, node: ast.BinOp, scope: Scope) -> Value:  # noqa: N802
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        return self._arithmetic(node, node.op, left, right)

    def _arithmetic(self, node: ast.expr, operator: ast.operator, left: Value, right: Value) -> Value:
        name = f"operator.{type(operator).__name__.lower()}"
        return self._record(name, node, [left, right], {})

    def _of_UnaryOp(self, node: ast.UnaryOp, scope: Scope) -> Value:  # noqa: N802
        operand = self.value(node.operand, scope)
        if isinstance(node.op, ast.Not):
            known = truth_of(operand)
            return UNKNOWN if known is None else Constant(not known, node)
        number = number_of(operand)
        if number is not None and isinstance(node.op, (ast.USub, ast.UAdd)):
            return Constant(-number if isinstance(node.op, ast.USub) else number, node)
        if isinstance(operand, Tensor) and isinstance(node.op, ast.USub):
            return self._record("operator.neg", node, [operand], {})
        return UNKNOWN

    def _of_Compare(self, node: ast.Compare, scope: Scope) -> Value:  # noqa: N802
        values = [self.value(part, scope) for part in (node.left, *node.comparators)]
        self._record("compare", node, values, {})
        numbers = [number_of(value) for value in values]
        if len(numbers) == 2 and None not in numbers and type(node.ops[0]) in _COMPARE:
            return Constant(_COMPARE[type(node.ops[0])](*numbers), node)
        return UNKNOWN

    def _of_BoolOp(self, node: ast.BoolOp, scope: Scope) -> Value:  # noqa: N802
        known = [truth_of(self.value(part, scope)) for part in node.values]
        if isinstance(node.op, ast.And):
            return Constant(False) if False in known else (UNKNOWN if None in known else Constant(True))
        return Constant(True) if True in known else (UNKNOWN if None in known else Constant(False))

    def _of_IfExp(self, node: ast.IfExp, scope: Scope) -> Value:  # noqa: N802
        known = truth_of(self.value(node.test, scope))
        if known is not None:
            return self.value(node.body if known else node.orelse, scope)
        return join(self.value(node.body, scope), self.value(node.orelse, scope))

    def _of_Subscript(self, node: ast.Subscript, scope: Scope) -> Value:  # noqa: N802
        owner = self.value(node.value, scope)
        if isinstance(owner, Reference):
            return UNKNOWN
        key = self.value(node.slice, scope)
        if isinstance(owner, Items):
            return _item(owner, key)
        if isinstance(owner, Table) and isinstance(key, Constant) and _hashable(key.value):
            return owner.items.get(key.value, UNKNOWN)
        if isinstance(owner, Model) and owner.style == "sequential" and isinstance(number_of(key), int):
            index = int(number_of(key) or 0)
            return (
                owner.layers[index] if owner.complete and -len(owner.layers) <= index < len(owner.layers) else UNKNOWN
            )
        return self._record("getitem", node, [owner, key], {}, owner)

    def _of_Slice(self, node: ast.Slice, scope: Scope) -> Value:  # noqa: N802
        parts = [
            self.value(part, scope) if part is not None else Constant(None)
            for part in (node.lower, node.upper, node.step)
        ]
        return Other("slice", dict(zip(("lower", "upper", "step"), parts, strict=True)), node)

    def _of_Lambda(self, node: ast.Lambda, scope: Scope) -> Value:  # noqa: N802
        return FunctionValue(node, scope)

    def _of_ListComp(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, scope: Scope) -> Value:  # noqa: N802
        inner = Scope(scope)
        generator = node.generators[0]
        literal = _elements(self.value(generator.iter, scope))
        if literal is not None and len(node.generators) == 1 and not generator.ifs and len(literal) <= LONGEST_UNROLL:
            items = []
            for element in literal:
                self.bind(generator.target, element, inner)
                with self._within("round"):
                    items.append(self.value(node.elt, inner))
            return Items(items) if isinstance(node, ast.ListComp) else UNKNOWN
        for part in node.generators:
            self.bind(part.target, element_of(self.value(part.iter, inner)), inner)
            for condition in part.ifs:
                self.value(condition, inner)
        with self._within("loop"):
            self.value(node.elt, inner)
        return UNKNOWN

    _of_GeneratorExp = _of_ListComp
    _of_SetComp = _of_ListComp

    def _of_Await(self, node: ast.Await, scope: Scope) -> Value:  # noqa: N802
        return self.value(node.value, scope)

    def _of_NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> Value:  # noqa: N802
        value = self.value(node.value, scope)
        self.bind(node.target, value, scope)
        return value

    # ── calls ───────────────────────────────────────────────────────────────────────────────────────────────

    def _of_Call(self, node: ast.Call, scope: Scope) -> Value:  # noqa: N802
        if isinstance(node.func, ast.Name) and node.func.id == "super" and scope.get("super") is None:
            return Other("super", {}, node)
        function = self.value(node.func, scope)
        positional, keywords, starred = self._arguments(node, scope)
        return self.call(function, positional, keywords, node, starred)

    def _arguments(self, node: ast.Call, scope: Scope) -> tuple[list[Value], dict[str, Value], bool]:
        positional: list[Value] = []
        starred = False
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                spread = self.value(argument.value, scope)
                if isinstance(spread, Items) and spread.complete and not starred:
                    positional += spread.items
                else:
                    starred = True
            elif not starred:
                positional.append(self.value(argument, scope))
            else:
                self.value(argument, scope)
        keywords: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.value(keyword.value, scope)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            elif isinstance(value, Table) and all(isinstance(key, str) for key in value.items):
                keywords.update(value.items)
            else:
                starred = True
        return positional, keywords, starred

    def call(
        self,
        function: Value,
        positional: list[Value],
        keywords: dict[str, Value],
        node: ast.Call,
        starred: bool = False,
    ) -> Value:
        """Calls whatever the function value is."""
        if isinstance(function, Reference):
            return self._record(function.name, node, positional, keywords, starred=starred)
        if isinstance(function, FunctionValue):
            self._record(
                f"call {_function_name(function)}", node, positional, keywords, function.receiver or UNKNOWN, starred
            )
            return self.call_function(function, positional, keywords, starred)
        if isinstance(function, ClassValue):
            return self._construct(function, positional, keywords, node, starred)
        if isinstance(function, Layer):
            function.uses += 1
            return self._record(f"apply {function.kind}", node, positional, keywords, function, starred)
        if isinstance(function, (Model, Loss)):
            return self._record(f"{type(function).__name__}.__call__", node, positional, keywords, function, starred)
        if isinstance(function, Bound):
            return self._record(method_name(function), node, positional, keywords, function.receiver, starred)
        name = node.func.id if isinstance(node.func, ast.Name) else "?"
        return self._record(
            f"builtins.{name}" if name in _BUILTINS else "?", node, positional, keywords, function, starred
        )

    def _record(
        self,
        name: str,
        node: ast.expr,
        positional: list[Value],
        keywords: dict[str, Value],
        receiver: Value = UNKNOWN,
        starred: bool = False,
    ) -> Value:
        """Notes an operation and works out its result where semantics are known."""
        call = Call(name, node, positional, keywords, tuple(self.inside), receiver, UNKNOWN, starred, self)
        self.operations.append(call)
        meaning = self.semantics.get(name) or self.semantics.get(_general(name))
        if meaning is not None:
            call.result = meaning(call)
        return call.result

    def _construct(
        self, class_: ClassValue, positional: list[Value], keywords: dict[str, Value], node: ast.Call, starred: bool
    ) -> Value:
        self._record(f"construct {class_.node.name}", node, positional, keywords, class_, starred)
        if framework_of(class_) is not None:
            return self.instantiate(class_, node, positional, keywords)
        instance = Instance(class_)
        self._initialise(class_, instance, positional, keywords, starred)
        return instance

    def instantiate(
        self,
        class_: ClassValue,
        node: ast.Call | None,
        positional: Sequence[Value] = (),
        keywords: dict[str, Value] | None = None,
    ) -> Model:
        """An object of a network class, with what its ``__init__`` assigns."""
        class_.instantiated = True
        model = Model(
            framework_of(class_) or "", "subclassed", node or class_.node, name=class_.node.name, class_=class_
        )
        self.models.append(model)
        with self._within(f"class:{class_.node.name}"):
            self._initialise(class_, model, list(positional), keywords or {}, node is None)
        return model

    def _initialise(
        self, class_: ClassValue, instance: Value, positional: list[Value], keywords: dict[str, Value], starred: bool
    ) -> None:
        initialiser = class_.methods.get("__init__")
        if initialiser is not None:
            self.call_function(FunctionValue(initialiser, class_.scope, instance), positional, keywords, starred)

    def call_function(
        self, function: FunctionValue, positional: list[Value], keywords: dict[str, Value], starred: bool = False
    ) -> Value:
        """Walks a function of the file with these arguments; unknown beyond a depth or in a recursion."""
        node = function.node
        self.walked.add(node)
        if node in self.active or len(self.active) >= DEEPEST_CALL:
            return UNKNOWN
        scope = Scope(function.scope)
        self._bind_parameters(function, positional, keywords, scope, starred)
        self.active.append(node)
        try:
            with self._within(f"function:{_function_name(function)}"):
                if isinstance(node, ast.Lambda):
                    return self.value(node.body, scope)
                self._block(node.body, scope)
        except _Returned as returned:
            return returned.value
        finally:
            self.active.pop()
        return Constant(None)

    def _bind_parameters(
        self,
        function: FunctionValue,
        positional: list[Value],
        keywords: dict[str, Value],
        scope: Scope,
        starred: bool,
    ) -> None:
        parameters = function.node.args
        names = [argument.arg for argument in (*parameters.posonlyargs, *parameters.args)]
        given = [function.receiver, *positional] if function.receiver is not None else list(positional)
        defaults = dict(zip(reversed(names), reversed(parameters.defaults), strict=False))
        defaults.update(
            {a.arg: d for a, d in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True) if d is not None}
        )
        # A call that was not followed says nothing about its arguments, so not even the defaults hold.
        uncalled = starred and not positional and not keywords
        for name in (*names, *(argument.arg for argument in parameters.kwonlyargs)):
            default = defaults.get(name)
            known = self.value(default, function.scope) if default is not None else UNKNOWN
            scope.variables[name] = keywords.get(
                name, UNKNOWN if uncalled and not isinstance(known, Constant) else known
            )
        for name, value in zip(names, given, strict=False):
            scope.variables[name] = value
        for extra in (parameters.vararg, parameters.kwarg):
            if extra is not None:
                scope.variables[extra.arg] = UNKNOWN

    # ── bookkeeping ─────────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _within(self, *names: str) -> Iterator[None]:
        count = len(self.inside)
        self.inside += names
        try:
            yield
        finally:
            del self.inside[count:]

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooComplex


_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}
_BUILTINS = {"range", "len", "int", "float", "str", "list", "tuple", "dict", "zip", "enumerate", "sum", "min", "max", "abs",
             "print", "iter", "next", "sorted", "reversed", "isinstance", "getattr", "setattr", "hasattr", "set", "open",
             "round", "bool", "map", "filter", "type", "vars", "any", "all"}  # fmt: skip


def framework_of(class_: ClassValue) -> str | None:
    """torch or keras when the class is a network or layer of one, else None."""
    for base in class_.bases:
        if base in MODULE_BASES:
            return MODULE_BASES[base]
        if base.startswith(LIGHTNING) and base.endswith("LightningModule"):
            return "torch"
    return None


def method_name(bound: Bound) -> str:
    """The canonical name of a method call: ``Tensor.view``, ``Model.fit``, ``?.backward``."""
    receiver = bound.receiver
    if isinstance(receiver, Tensor):
        return f"Tensor.{bound.method}"
    if isinstance(receiver, (Layer, Model, Optimizer, Loss)):
        return f"{type(receiver).__name__}.{bound.method}"
    if isinstance(receiver, Other):
        return f"{receiver.kind}.{bound.method}"
    if isinstance(receiver, (Items, Table, Constant)):
        return f"builtins.{bound.method}"
    return f"?.{bound.method}"


def context_name(value: Value, node: ast.expr, names: Names) -> str | None:
    """How a ``with`` block is called in ``Operation.inside``: its function's short name."""
    called = names.qualified(_called(node))
    if called is not None:
        return called.rsplit(".", 1)[-1]
    target = _called(node)
    return target.attr if isinstance(target, ast.Attribute) else None


def join(first: Value, second: Value) -> Value:
    """What holds on both ways: equal values stay, tensors keep what they agree on."""
    if first is second:
        return first
    if isinstance(first, Constant) and isinstance(second, Constant) and type(first.value) is type(second.value):
        return first if first.value == second.value else UNKNOWN
    if isinstance(first, Tensor) and isinstance(second, Tensor):
        return Tensor(
            first.library,
            _join_shapes(first.shape, second.shape),
            first.dtype if first.dtype == second.dtype else None,
            first.interval.union(second.interval),
            facts=first.facts & second.facts,
        )
    return UNKNOWN


def _join_shapes(first: Any, second: Any) -> Any:
    if first is None or second is None or len(first) != len(second):
        return None
    return tuple(a if a == b else None for a, b in zip(first, second, strict=True))


def element_of(iterated: Value) -> Value:
    """One element of something that is looped over."""
    if isinstance(iterated, Items) and iterated.items:
        joined = iterated.items[0]
        for item in iterated.items[1:]:
            joined = join(joined, item)
        return joined
    if isinstance(iterated, Tensor) and iterated.shape:
        return iterated.with_(shape=iterated.shape[1:], made_by="getitem", inputs=(iterated,))
    if isinstance(iterated, Other) and iterated.kind == "enumerate":
        return Items([UNKNOWN, element_of(iterated.arguments.get("of", UNKNOWN))], is_tuple=True)
    return UNKNOWN


def unpack(value: Value, targets: Sequence[ast.expr]) -> list[Value]:
    """A value taken apart for several targets."""
    count = len(targets)
    if isinstance(value, Items) and value.complete and not any(isinstance(target, ast.Starred) for target in targets):
        return value.items if len(value.items) == count else [UNKNOWN] * count
    return [UNKNOWN] * count


def assigned_names(body: Sequence[ast.stmt]) -> set[str]:
    """Names that a block assigns anywhere inside."""
    found: set[str] = set()
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
    return found


def _forget(value: Value) -> Value:
    """What stays known of a variable that a loop reassigns."""
    if isinstance(value, Tensor):
        return Tensor(value.library, None, value.dtype)
    return UNKNOWN


def _elements(value: Value) -> list[Value] | None:
    if isinstance(value, Items):
        return value.items if value.complete else None
    if isinstance(value, Other) and value.kind == "range":
        numbers = value.arguments["range"]
        if isinstance(numbers, Constant) and len(numbers.value) <= LONGEST_UNROLL:
            return [Constant(number) for number in numbers.value]
    if isinstance(value, Other) and value.kind == "enumerate":
        inner = _elements(value.arguments.get("of", UNKNOWN))
        return None if inner is None else [Items([Constant(i), item], True) for i, item in enumerate(inner)]
    return None


def _item(owner: Items, key: Value) -> Value:
    if not owner.complete:
        return UNKNOWN
    number = number_of(key)
    if isinstance(number, int) and -len(owner.items) <= number < len(owner.items):
        return owner.items[number]
    if isinstance(key, Other) and key.kind == "slice":
        bounds = [number_of(key.arguments[name]) for name in ("lower", "upper", "step")]
        nones = [
            isinstance(key.arguments[n], Constant) and key.arguments[n].value is None
            for n in ("lower", "upper", "step")
        ]  # type: ignore[union-attr]
        if all(isinstance(b, int) or none for b, none in zip(bounds, nones, strict=True)):
            return Items(
                owner.items[slice(*(None if none else b for b, none in zip(bounds, nones, strict=True)))],
                owner.is_tuple,
            )
    return UNKNOWN


def _general(name: str) -> str:
    """The entry that serves a whole family: ``apply torch.nn.Linear`` falls back to ``apply *``."""
    return f"{name.split(' ', 1)[0]} *" if " " in name else f"{name.rsplit('.', 1)[0]}.*"


def _name_model(value: Value, name: str) -> None:
    if isinstance(value, Model) and value.name is None:
        value.name = name


def _function_name(function: FunctionValue) -> str:
    return "lambda" if isinstance(function.node, ast.Lambda) else function.node.name


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _transparent(decorator: str | None) -> bool:
    """Decorators that leave a function's meaning alone."""
    if decorator is None:
        return False
    return decorator in {"tensorflow.function", "torch.no_grad", "torch.inference_mode", "torch.jit.script", "torch.compile",
                         "functools.wraps", "functools.lru_cache", "torch.enable_grad", "jax.jit"}  # fmt: skip


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
        for node in ast.walk(statement):
            if isinstance(node, (ast.Break, ast.Continue)):
                return False
            if isinstance(node, ast.Attribute) and node.attr in _NOT_BUILDING:
                return False
    return True


def _is_main_guard(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _hashable(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool, type(None), bytes))
