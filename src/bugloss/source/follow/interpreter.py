"""Follows a file's values: statements in order, calls into the file's own functions, both sides of a branch.

It never guesses. What it cannot follow becomes ``UNKNOWN``; loops over anything but short literals are walked
once; recursion and depth are cut off; a budget of evaluated nodes bounds the time a file can take.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from bugloss.source.follow.call import Call, Conflict, PassedArguments, Semantics, passed
from bugloss.source.follow.expressions import EXPRESSIONS
from bugloss.source.follow.flow import element_of, unpack
from bugloss.source.follow.scope import Returned, Scope, UnfollowedStatement, Within
from bugloss.source.follow.statements import STATEMENTS
from bugloss.source.text.names import Names
from bugloss.source.text.syntax import children
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    BoundMethod,
    ClassValue,
    Constant,
    FunctionValue,
    Instance,
    Items,
    Layer,
    Loss,
    Model,
    Operation,
    Optimizer,
    Other,
    Reference,
    TableValue,
    Tensor,
    Value,
    is_plain,
)

BUDGET = 60_000
DEEPEST_CALL = 8
MODULE_BASES = {
    "torch.nn.Module": "torch",
    "keras.Model": "keras",
    "keras.layers.Layer": "keras",
    "keras.Sequential": "keras",
}
LIGHTNING = ("lightning.", "pytorch_lightning.")
Meaning = Callable[[Call], Value]
FORWARD = {"torch": ("forward",), "keras": ("call",)}


class BudgetSpent(Exception):
    """The budget of this file is used up."""


class Interpreter:
    """Evaluates one file; what it saw is in ``operations``, ``conflicts``, ``models`` and ``optimizers``."""

    def __init__(self, tree: ast.Module, names: Names, semantics: Semantics) -> None:
        self.tree = tree
        self.names = names
        self.semantics = semantics
        self.meanings: dict[str, Meaning | None] = {}
        self.operations: list[Operation] = []
        self.conflicts: list[Conflict] = []
        self.models: list[Model] = []
        self.optimizers: list[Optimizer] = []
        self.losses: list[Loss] = []
        self.classes: list[ClassValue] = []
        self.functions: list[FunctionValue] = []
        self.inside: list[str] = []
        self.active: list[ast.AST] = []
        self.yielded: list[list[Value]] = [[]]  # what the functions that are being walked have yielded
        self.walked: set[ast.AST] = set()
        self.left = BUDGET
        self.complete = True
        self.failures: list[UnfollowedStatement] = []
        self.scope = Scope()

    def run(self) -> None:
        """The module from top to bottom, then every function and network class that nothing called."""
        try:
            self.block(self.tree.body, self.scope)
            self._walk_what_nobody_called()
        except (BudgetSpent, RecursionError):  # a lambda that is never called may be deep too
            self.complete = False
        except Returned:
            pass
        except Exception as error:  # ours, outside of any statement
            self.failures.append(UnfollowedStatement(1, error))

    def _walk_what_nobody_called(self) -> None:
        for class_ in list(self.classes):
            if not class_.instantiated and framework_of(class_) is not None:
                self._instantiate(class_, None, PassedArguments([], starred=True))
        for model in list(self.models):
            if model.class_ is not None:
                for name, method in model.class_.methods.items():
                    if name != "__init__" and method not in self.walked:
                        made = self.call_function(FunctionValue(method, model.class_.scope, model), passed())
                        if name in FORWARD.get(model.framework, ()):
                            model.outputs = [made]
        for function in list(self.functions):
            if function.node not in self.walked:
                self.call_function(function, passed())
        for model in list(self.models):
            if model.framework == "torch" and model.style == "sequential" and "applied" not in model.facts:
                self.call(model, passed(Tensor("torch")), model.node)  # type: ignore[arg-type]

    def block(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        """Statements one after the other."""
        for statement in body:
            self.spend()
            handler = STATEMENTS.get(type(statement))
            if handler is not None:
                try:
                    handler(self, statement, scope)
                except RecursionError:  # one deep expression must not hide what comes after it
                    self.complete = False
                except (BudgetSpent, Returned):
                    raise
                except Exception as error:  # ours: what follows the statement is looked at all the same
                    self.failures.append(UnfollowedStatement(statement.lineno, error))

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """What is known of an expression."""
        self.spend()
        handler = EXPRESSIONS.get(type(node))
        if handler is not None:
            return handler(self, node, scope)
        for child in children(node):
            if isinstance(child, ast.expr):
                self.value(child, scope)
        return UNKNOWN

    # ── binding ─────────────────────────────────────────────────────────────────────────────────────────────

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            scope.variables[target.id] = value
            _name_model(value, target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part, item in zip(target.elts, unpack(value, target.elts), strict=True):
                self.bind(part, item, scope)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, value, scope)
        elif isinstance(target, ast.Attribute):
            owner = self.value(target.value, scope)
            if isinstance(owner, (Model, Instance)):
                owner.attributes[target.attr] = value
            self.record("setattr", target, passed(owner, Constant(target.attr), value), owner)
        elif isinstance(target, ast.Subscript):
            owner = self.value(target.value, scope)
            key = self.value(target.slice, scope)
            if isinstance(owner, TableValue) and isinstance(key, Constant) and is_plain(key.value):
                owner.items[key.value] = value
            elif isinstance(owner, Tensor) and isinstance(target.value, ast.Name):
                scope.variables[target.value.id] = owner.with_(interval=ANYTHING, facts=frozenset())
            self.record("setitem", target, passed(owner, key, value), owner)

    def attribute(self, owner: Value, name: str, node: ast.expr) -> Value:
        if isinstance(owner, (Model, Instance)) and name in owner.attributes:
            return owner.attributes[name]
        if isinstance(owner, (Model, Instance)) and owner.class_ and name in owner.class_.methods:
            return FunctionValue(owner.class_.methods[name], owner.class_.scope, owner)
        if isinstance(owner, Tensor):
            known = self.semantics.get(f"attribute {owner.library}.{name}") or self.semantics.get(f"attribute {name}")
            if known is not None:
                return self._result(known, Call(f"Tensor.{name}", node, [owner], {}, interpreter=self, receiver=owner))
        if isinstance(owner, Other):
            known = self.semantics.get(f"attribute {owner.kind}.{name}")
            if known is not None:
                call = Call(f"{owner.kind}.{name}", node, [owner], {}, interpreter=self, receiver=owner)
                return self._result(known, call)
        return BoundMethod(owner, name)

    def arithmetic(self, node: ast.expr, operator: ast.operator, left: Value, right: Value) -> Value:
        name = f"operator.{type(operator).__name__.lower()}"
        return self.record(name, node, passed(left, right))

    # ── calls ───────────────────────────────────────────────────────────────────────────────────────────────

    def call(self, function: Value, arguments: PassedArguments, node: ast.Call) -> Value:
        """Calls whatever the function value is."""
        if isinstance(function, Reference):
            return self.record(function.name, node, arguments)
        if isinstance(function, FunctionValue):
            self.record(f"call {_function_name(function)}", node, arguments, function.receiver or UNKNOWN)
            return self.call_function(function, arguments)
        if isinstance(function, ClassValue):
            return self._construct(function, arguments, node)
        if isinstance(function, Layer):
            function.uses += 1
            return self.record(f"apply {function.kind}", node, arguments, function)
        if isinstance(function, (Model, Loss)):
            return self.record(f"{type(function).__name__}.__call__", node, arguments, function)
        if isinstance(function, BoundMethod):
            return self.record(method_name(function), node, arguments, function.receiver)
        name = node.func.id if isinstance(node.func, ast.Name) else "?"
        return self.record(f"builtins.{name}" if name in _BUILTINS else "?", node, arguments, function)

    def record(self, name: str, node: ast.expr, arguments: PassedArguments, receiver: Value = UNKNOWN) -> Value:
        """Notes an operation and works out its result where semantics are known."""
        positional, keywords = arguments.positional, arguments.keywords
        call = Call(name, node, positional, keywords, tuple(self.inside), receiver, UNKNOWN, arguments.starred, self)
        self.operations.append(call)
        meaning = self._meaning(name, receiver)
        if meaning is not None:
            call.result = self._result(meaning, call)
        return call.result

    def _meaning(self, name: str, receiver: Value) -> Meaning | None:
        """The semantics of an operation: those of the tensor's library, of this name, of its family."""
        if isinstance(receiver, Tensor) and name.startswith("Tensor."):
            of_library = self.semantics.get(f"{receiver.library}.{name}")  # such as ``numpy.Tensor.transpose``
            if of_library is not None:
                return of_library
        if name not in self.meanings:
            self.meanings[name] = self.semantics.get(name) or self.semantics.get(_general(name))
        return self.meanings[name]

    @staticmethod
    def _result(meaning: Meaning, call: Call) -> Value:
        """What an operation gives; where that cannot be computed (``np.arange(1e999)``), it is unknown."""
        try:
            return meaning(call)
        except (ArithmeticError, ValueError):
            return UNKNOWN

    def _construct(self, class_: ClassValue, arguments: PassedArguments, node: ast.Call) -> Value:
        self.record(f"construct {class_.node.name}", node, arguments, class_)
        if framework_of(class_) is not None:
            return self._instantiate(class_, node, PassedArguments(arguments.positional, arguments.keywords))
        instance = Instance(class_)
        self._initialise(class_, instance, arguments)
        return instance

    def _instantiate(self, class_: ClassValue, node: ast.Call | None, arguments: PassedArguments) -> Model:
        """An object of a network class, with what its ``__init__`` assigns."""
        class_.instantiated = True
        model = Model(
            framework_of(class_) or "", "subclassed", node or class_.node, name=class_.node.name, class_=class_
        )
        self.models.append(model)
        with self.within(f"class:{class_.node.name}"):
            self._initialise(class_, model, arguments)
        return model

    def _initialise(self, class_: ClassValue, instance: Value, arguments: PassedArguments) -> None:
        initialiser = class_.methods.get("__init__")
        if initialiser is not None:
            self.call_function(FunctionValue(initialiser, class_.scope, instance), arguments)

    def call_function(self, function: FunctionValue, arguments: PassedArguments) -> Value:
        """Walks a function of the file with these arguments; unknown beyond a depth or in a recursion."""
        node = function.node
        self.walked.add(node)
        if node in self.active or len(self.active) >= DEEPEST_CALL:
            return UNKNOWN
        scope = Scope(function.scope)
        self._bind_parameters(function, arguments, scope)
        self.active.append(node)
        self.yielded.append([])
        result: Value = Constant(None)
        try:
            with self.within(f"function:{_function_name(function)}"):
                if isinstance(node, ast.Lambda):
                    result = self.value(node.body, scope)
                else:
                    self.block(node.body, scope)
        except Returned as returned:
            result = returned.value
        finally:
            self.active.pop()
            yielded = self.yielded.pop()
        return Other("generator", {"element": element_of(Items(yielded))}, node) if yielded else result

    def _bind_parameters(self, function: FunctionValue, arguments: PassedArguments, scope: Scope) -> None:
        parameters, positional, keywords = function.node.args, arguments.positional, arguments.keywords
        names = [argument.arg for argument in (*parameters.posonlyargs, *parameters.args)]
        given = [function.receiver, *positional] if function.receiver is not None else list(positional)
        defaults = dict(zip(reversed(names), reversed(parameters.defaults), strict=False))
        defaults.update(
            {a.arg: d for a, d in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True) if d is not None}
        )
        # A call that was not followed says nothing about its arguments, so not even the defaults hold.
        uncalled = arguments.starred and not positional and not keywords
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

    def within(self, *names: str) -> Within:
        return Within(self.inside, names)

    def forget(self) -> None:
        """Unties what refers to itself: functions to their variables, networks to the calls that they are part of."""
        for scope in (*(one.scope for one in self.functions), *(one.scope for one in self.classes)):
            scope.variables.clear()
        for model in self.models:
            for held in (model.attributes, model.outputs, model.compiled, model.fitted):
                held.clear()
        self.__dict__.clear()

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise BudgetSpent


_BUILTINS = frozenset(
    {"abs", "all", "any", "bool", "dict", "enumerate", "filter", "float", "getattr", "hasattr", "int", "isinstance"}
    | {"iter", "len", "list", "map", "max", "min", "next", "open", "print", "range", "reversed", "round", "set"}
    | {"setattr", "sorted", "str", "sum", "tuple", "type", "vars", "zip"}
)


def framework_of(class_: ClassValue) -> str | None:
    """torch or keras when the class is a network or layer of one, else None."""
    for base in class_.bases:
        if base in MODULE_BASES:
            return MODULE_BASES[base]
        if base.startswith(LIGHTNING) and base.endswith("LightningModule"):
            return "torch"
    return None


def method_name(bound: BoundMethod) -> str:
    """The canonical name of a method call: ``Tensor.view``, ``Model.fit``, ``?.backward``."""
    receiver = bound.receiver
    if isinstance(receiver, Tensor):
        return f"Tensor.{bound.method}"
    if isinstance(receiver, (Layer, Model, Optimizer, Loss)):
        return f"{type(receiver).__name__}.{bound.method}"
    if isinstance(receiver, Other):
        return f"{receiver.kind}.{bound.method}"
    if isinstance(receiver, (Items, TableValue, Constant)):
        return f"builtins.{bound.method}"
    return f"?.{bound.method}"


def _name_model(value: Value, name: str) -> None:
    if isinstance(value, Model) and value.name is None:
        value.name = name


def _function_name(function: FunctionValue) -> str:
    return "lambda" if isinstance(function.node, ast.Lambda) else function.node.name


def _general(name: str) -> str:
    """The entry that serves a whole family: ``apply torch.nn.Linear`` falls back to ``apply *``."""
    return f"{name.split(' ', 1)[0]} *" if " " in name else f"{name.rsplit('.', 1)[0]}.*"
