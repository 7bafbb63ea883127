"""Where a file uses names of the catalogued libraries, and where such a use is guarded against other releases."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from bugloss.source.program import Program
from bugloss.source.text.syntax import walk

PACKAGES = frozenset({"keras", "numpy", "tensorflow", "torch"})
_CAUGHT = {"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException", "TypeError"}
_VERSION_WORDS = ("version", "hasattr", "getattr", "type_checking", "is_tf", "tf2", "tf1", "compat")


@dataclass(frozen=True, slots=True, eq=False)
class ApiUse:
    """One use: ``symbol`` is the qualified name as written (``tensorflow.keras.layers.Dense``), nothing folded."""

    symbol: str
    node: ast.AST
    call: ast.Call | None = None
    statement: ast.Import | ast.ImportFrom | None = None

    @property
    def package(self) -> str:
        return self.symbol.split(".", 1)[0]


def api_uses(program: Program) -> ApiUses:
    """The uses of a program, found once for all rules."""
    return program.remembered(ApiUses)


class ApiUses:
    """All unguarded uses of one file."""

    def __init__(self, program: Program) -> None:
        self._nodes = program.nodes
        self._parents = program
        self._names = program.names
        self._text = program.source.text

    @cached_property
    def all(self) -> list[ApiUse]:
        """Every use that no guard protects and that the file itself does not redefine."""
        if not PACKAGES & self._names.roots:
            return []
        return [use for use in (*self._imports(), *self._attributes()) if self._counts(use)]

    def of(self, *packages: str) -> Iterator[ApiUse]:
        """The uses of some packages."""
        return (use for use in self.all if use.package in packages)

    def _imports(self) -> Iterator[ApiUse]:
        for statement in self._names.nodes:
            for alias in statement.names:
                module = f"{statement.module}." if isinstance(statement, ast.ImportFrom) else ""
                symbol = f"{module}{alias.name}"
                if "." in symbol and alias.name != "*":
                    yield ApiUse(symbol, alias, statement=statement)

    def _attributes(self) -> Iterator[ApiUse]:
        inner = {id(node.value) for node in self._attribute_nodes}
        calls = {id(call.func): call for call in self._calls}
        for node in self._attribute_nodes:
            if id(node) not in inner:
                yield from self._use(node, calls.get(id(node)))
        for call in self._calls:
            if isinstance(call.func, ast.Name):
                yield from self._use(call.func, call)

    def _use(self, node: ast.Attribute | ast.Name, call: ast.Call | None) -> Iterator[ApiUse]:
        root = _root(node)
        symbol = None if root is None or root.id in self.rebound else self._names.raw(node)
        if symbol is not None and "." in symbol:
            yield ApiUse(symbol, node, call)

    @cached_property
    def _attribute_nodes(self) -> list[ast.Attribute]:
        return [node for node in self._nodes[ast.Attribute] if isinstance(node, ast.Attribute)]

    @cached_property
    def _calls(self) -> list[ast.Call]:
        return [node for node in self._nodes[ast.Call] if isinstance(node, ast.Call)]

    def _counts(self, use: ApiUse) -> bool:
        if use.symbol.startswith("tensorflow.keras") and "TF_USE_LEGACY_KERAS" in self._text:
            return False  # tf.keras is then the package tf_keras, whatever release of TensorFlow it hangs on
        return (
            use.package in PACKAGES
            and use.package not in self.version_aware
            and not any(use.symbol == name or use.symbol.startswith(f"{name}.") for name in self._patched)
            and not self.guarded(use.statement or use.node)
        )

    @cached_property
    def rebound(self) -> set[str]:
        """Names that an import binds but that may mean something else, or nothing, somewhere in the file."""
        bound: dict[str, set[str]] = defaultdict(set)
        for statement in self._names.nodes:
            fallible = self.guarded(statement)
            for alias in statement.names:
                module = f"{statement.module}." if isinstance(statement, ast.ImportFrom) else ""
                whole = alias.name if alias.asname or module else alias.name.split(".")[0]
                bound[alias.asname or whole] |= {module + whole, *(["?"] if fallible and module else [])}
        stored = {node.id for node in self._nodes[ast.Name] if isinstance(node.ctx, ast.Store)}  # type: ignore[attr-defined]
        stored |= {node.arg for node in self._nodes[ast.arg]}  # type: ignore[attr-defined]
        for kind in (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef):
            stored |= {node.name for node in self._nodes[kind]}  # type: ignore[attr-defined]
        return stored | {name for name, targets in bound.items() if len(targets) > 1}

    @cached_property
    def _patched(self) -> set[str]:
        """Names that the file puts into a library itself: ``np.float = float``."""
        targets = [node for node in self._attribute_nodes if not isinstance(node.ctx, ast.Load)]
        patched = {name for node in targets if (name := self._names.raw(node)) is not None}
        for call in self._calls:
            if isinstance(call.func, ast.Name) and call.func.id in {"setattr", "hasattr"} and len(call.args) > 1:
                owner, attribute = self._names.raw(call.args[0]), call.args[1]
                if owner is not None and isinstance(attribute, ast.Constant) and isinstance(attribute.value, str):
                    patched.add(f"{owner}.{attribute.value}")
        return patched

    @cached_property
    def version_aware(self) -> set[str]:
        """Packages whose version the file looks at for more than printing it; what it does then is not known."""
        aware: set[str] = set()
        if "disable_v2_behavior" in self._text or "enable_v2_behavior" in self._text:
            aware |= {"tensorflow"} if "compat.v1 as tf" not in self._text else set()
        if "ersion" not in self._text and "VERSION" not in self._text:
            return aware
        for node in self._attribute_nodes:
            if node.attr in {"__version__", "VERSION", "GIT_VERSION", "version_info"}:
                name = self._names.raw(node)
                if name is not None and not self._is_shown(node):
                    aware.add(name.split(".")[0])
        named = {name for name in self._names.imported.values() if name.endswith((".__version__", ".VERSION"))}
        return aware | {name.split(".")[0] for name in named}

    def _is_shown(self, node: ast.AST) -> bool:
        statement = self._parents.enclosing(node, ast.Expr, ast.If, ast.IfExp, ast.Assert, ast.Assign, ast.Compare)
        return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)

    def guarded(self, node: ast.AST) -> bool:
        """Whether the code around a node expects that a release may lack it."""
        line = getattr(node, "lineno", 0)
        return any(first <= line <= last for first, last in self._guards)

    @cached_property
    def _guards(self) -> list[tuple[int, int]]:
        """The stretches of lines that a ``try``, a question about the release or an expected failure encloses."""
        found: list[ast.AST] = [node for node in self._nodes[ast.Try] if _catches(node)]
        for kind in (ast.If, ast.IfExp):
            found += [node for node in self._nodes[kind] if _tests_the_release(node)]
        found += [node for node in self._nodes[ast.With] if _expects_failure(node)]
        return [(node.lineno, node.end_lineno) for node in found]  # type: ignore[attr-defined]


def _root(node: ast.expr) -> ast.Name | None:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node if isinstance(node, ast.Name) else None


def _catches(node: ast.AST) -> bool:
    for handler in node.handlers if isinstance(node, ast.Try) else ():
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if any(kind is None or _last_word(kind) in _CAUGHT for kind in kinds):
            return True
    return False


def _tests_the_release(node: ast.AST) -> bool:
    """Whether a condition contains a word about versions or about what is installed."""
    test = node.test if isinstance(node, (ast.If, ast.IfExp)) else None
    words = [_last_word(part).lower() for part in walk(test)] if test is not None else []
    return any(hint in word for word in words for hint in _VERSION_WORDS)


def _expects_failure(node: ast.AST) -> bool:
    items = node.items if isinstance(node, ast.With) else []
    return any("raises" in _last_word(part) for item in items for part in walk(item.context_expr))


def _last_word(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
