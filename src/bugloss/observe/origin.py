"""Where a value in the user's program comes from: from the call that used it back to the literal that somebody typed.

Follows names through assignments, parameter defaults, the calls of the enclosing function, module constants, dictionary
and attribute settings (``config["lr"]``, ``args.lr`` with ``add_argument("--lr", default=…)``). What cannot be followed
ends at the last place that is known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from bugloss.core.diagnosis import Site
from bugloss.core.python_text import parse_python

_DEEPEST = 8
_FILLING = {
    *("uniform_", "normal_", "trunc_normal_", "constant_", "fill_", "zero_", "zeros_", "ones_", "eye_", "orthogonal_"),
    *("xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "sparse_", "exponential_"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of source that holds a value."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str

    @property
    def literal(self) -> object:
        """The value that stands there, None where it is no literal."""
        try:
            return ast.literal_eval(self.text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None


class SourceFile:
    """One file of the user's program, parsed once."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    @cached_property
    def tree(self) -> ast.Module:
        try:
            return parse_python(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module(body=[], type_ignores=[])

    @cached_property
    def functions(self) -> dict[ast.AST, ast.FunctionDef | ast.AsyncFunctionDef | None]:
        """For every node the function that it stands in."""
        owners: dict[ast.AST, ast.FunctionDef | ast.AsyncFunctionDef | None] = {}

        def visit(node: ast.AST, owner: ast.FunctionDef | ast.AsyncFunctionDef | None) -> None:
            owners[node] = owner
            inner = node if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else owner
            for child in ast.iter_child_nodes(node):
                visit(child, inner)

        visit(self.tree, None)
        return owners

    def calls(self, line: int) -> list[ast.Call]:
        """Calls that begin on or span a line, the narrowest first."""
        found = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call) and node.lineno <= line <= (node.end_lineno or node.lineno)
        ]
        return sorted(found, key=lambda node: ((node.end_lineno or node.lineno) - node.lineno, -node.col_offset))

    def place(self, node: ast.expr) -> Place:
        text = ast.get_source_segment(self.text, node) or ""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Place(self.path, node.lineno, node.col_offset, end_line, end_column, text)


@dataclass(slots=True)
class Sources:
    """The files of the user's program, read when they are asked for."""

    read: Callable[[str], str | None] = lambda path: None
    _files: dict[str, SourceFile | None] = field(default_factory=dict)

    def file(self, path: str) -> SourceFile | None:
        if path not in self._files:
            text = self.read(path)
            self._files[path] = None if text is None else SourceFile(path, text)
        return self._files[path]

    def argument(self, site: Site | None, call: str, *names: str, position: int | None = None) -> Place | None:
        """Where the value of an argument of a call comes from; ``call`` is the last part of the function's name."""
        source = self.file(site.path) if site else None
        if source is None or site is None:
            return None
        for node in source.calls(site.line):
            if call and _last_name(node.func) != call:
                continue
            value = next((item.value for item in node.keywords if item.arg in names), None) or _spread(
                source, node, names
            )
            if value is None and position is not None and position < len(node.args):
                value = node.args[position]
            if value is not None and not isinstance(value, ast.Starred):
                return trace(source, value)
        return None

    def initializers(self, path: str, *words: str) -> Iterator[Place]:
        """Calls that fill parameters in place, ``nn.init.normal_(…)``, ``weight.data.uniform_(…)``, and their numbers.

        Those whose first argument or receiver has one of the words come alone, where there are any.
        """
        source = self.file(path)
        nodes = [node for node in ast.walk(source.tree) if isinstance(node, ast.Call)] if source is not None else []
        filling = [node for node in nodes if _fills_in_place(node)]
        named = [node for node in filling if any(word in ast.unparse(node).lower() for word in words)]
        for node in named or filling:
            assert source is not None
            yield source.place(node)
            values = [*node.args, *(item.value for item in node.keywords)]
            places = [trace(source, value) for value in values]
            yield from (
                place for place in places if isinstance(place.literal, int | float) and place.line != node.lineno
            )

    def loops(self, path: str) -> Iterator[Place]:
        """The bounds of loops that count epochs, and ``epochs=`` arguments, traced to where they come from."""
        source = self.file(path)
        if source is None:
            return
        for node in ast.walk(source.tree):
            if isinstance(node, ast.For) and _counts_epochs(node):
                assert isinstance(node.iter, ast.Call)
                yield trace(source, node.iter.args[-1] if len(node.iter.args) < 3 else node.iter.args[1])
            elif isinstance(node, ast.Call):
                for item in node.keywords:
                    if item.arg in {"epochs", "num_epochs", "n_epochs", "max_epochs", "nb_epoch"}:
                        yield trace(source, item.value)


def _spread(source: SourceFile, call: ast.Call, names: tuple[str, ...]) -> ast.expr | None:
    """The value for a name in a dictionary that is spread into a call: ``Dense(32, **settings)``."""
    for item in call.keywords:
        given = _origin(source, item.value) if item.arg is None and isinstance(item.value, ast.Name) else item.value
        if item.arg is None and isinstance(given, ast.Dict):
            for key, value in zip(given.keys, given.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in names:
                    return value
    return None


def _fills_in_place(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in _FILLING


def trace(source: SourceFile, value: ast.expr) -> Place:
    """The place that an expression's value was typed at."""
    seen: set[ast.expr] = set()
    for _ in range(_DEEPEST):
        if value in seen:
            break
        seen.add(value)
        following = _origin(source, value)
        if following is None:
            break
        value = following
    return source.place(value)


def _origin(source: SourceFile, value: ast.expr) -> ast.expr | None:
    if isinstance(value, ast.Name):
        return _of_name(source, value)
    if isinstance(value, ast.Attribute):
        return _of_setting(source, value.attr)
    if (
        isinstance(value, ast.Subscript)
        and isinstance(value.slice, ast.Constant)
        and isinstance(value.slice.value, str)
    ):
        return _of_setting(source, value.slice.value)
    if isinstance(value, ast.Call) and _last_name(value.func) in {"float", "int", "abs"} and value.args:
        return value.args[0]
    return None


def _of_name(source: SourceFile, name: ast.Name) -> ast.expr | None:
    function = source.functions.get(name)
    if function is not None:
        assigned = _assigned(function, name.id, name.lineno)
        if assigned is not None:
            return assigned
        if name.id in _parameters(function):
            return _passed(source, function, name.id) or _default(function, name.id)
    return _assigned(source.tree, name.id, name.lineno if function is None else None)


def _assigned(scope: ast.AST, name: str, before: int | None) -> ast.expr | None:
    """The last value that a scope gives a name (before a line)."""
    found: ast.expr | None = None
    for node in _within(scope):
        if before is not None and getattr(node, "lineno", 0) >= before:
            continue
        if isinstance(node, ast.Assign):
            for target in node.targets:
                found = _matching(target, node.value, name) or found
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            found = node.value or found
    return found


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of functions inside it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from _within(child)


def _matching(target: ast.expr, value: ast.expr, name: str) -> ast.expr | None:
    if isinstance(target, ast.Name) and target.id == name:
        return value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for part, given in zip(target.elts, value.elts, strict=True):
            if isinstance(part, ast.Name) and part.id == name:
                return given
    return None


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    arguments = function.args
    return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _default(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> ast.expr | None:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(zip([argument.arg for argument in positional][::-1], arguments.defaults[::-1], strict=False))
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if value is not None:
            defaults[argument.arg] = value
    return defaults.get(name)


def _passed(source: SourceFile, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> ast.expr | None:
    """What the only call of a function passes for a parameter; None where calls differ or there is none."""
    parameters = _parameters(function)
    called = function.name
    if called == "__init__":
        owner = next(
            (node for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef) and function in node.body), None
        )
        called = owner.name if owner else called
    if parameters[:1] in (["self"], ["cls"]):
        parameters = parameters[1:]
    values = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and _last_name(node.func) == called:
            position = parameters.index(name) if name in parameters else -1
            given = next((item.value for item in node.keywords if item.arg == name), None)
            if given is None and 0 <= position < len(node.args):
                given = node.args[position]
            if given is not None:
                values.append(given)
    same = {ast.dump(value) for value in values}
    return values[0] if len(same) == 1 else None


def _of_setting(source: SourceFile, key: str) -> ast.expr | None:
    """The value of a setting by its key: command-line default, dictionary entry, attribute or class field."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and _last_name(node.func) == "add_argument" and _names_option(node, key):
            return next((item.value for item in node.keywords if item.arg == "default"), None)
        if isinstance(node, ast.Dict):
            for name, value in zip(node.keys, node.values, strict=True):
                if isinstance(name, ast.Constant) and name.value == key:
                    return value
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Attribute) and target.attr == key for target in targets):
                return node.value
        if isinstance(node, ast.ClassDef):
            inner = _assigned(node, key, None)
            if inner is not None:
                return inner
    return None


def _names_option(node: ast.Call, key: str) -> bool:
    words = [
        argument.value
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]
    return any(word.lstrip("-").replace("-", "_") == key for word in words)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _counts_epochs(node: ast.For) -> bool:
    if not (isinstance(node.iter, ast.Call) and _last_name(node.iter.func) in {"range", "trange"} and node.iter.args):
        return False
    words = {name.id.lower() for name in ast.walk(node.target) if isinstance(name, ast.Name)}
    words |= {name.id.lower() for name in ast.walk(node.iter) if isinstance(name, ast.Name)}
    words |= {name.attr.lower() for name in ast.walk(node.iter) if isinstance(name, ast.Attribute)}
    trains = any(
        isinstance(inner, ast.Attribute) and inner.attr in {"backward", "apply_gradients", "train_on_batch"}
        for inner in ast.walk(node)
    )
    return trains or any("epoch" in word for word in words)
