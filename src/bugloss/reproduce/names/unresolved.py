"""Names that a program uses and nobody defines, and how it uses them."""

from __future__ import annotations

import ast
import builtins
import symtable
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from bugloss.reproduce.program.draft import parsed

_KNOWN = frozenset({*dir(builtins), "__file__", "__name__", "__doc__", "display", "get_ipython", "exit", "quit"})
_MOST_NAMES = 100  # a program that lacks more is not completed; each costs a look at all of it


@dataclass(slots=True)
class Use:
    """How a program uses one undefined name."""

    name: str
    line: int = 0  # where it is first needed
    nodes: list[ast.Name] = field(default_factory=list)
    calls: list[ast.Call] = field(default_factory=list)  # name(…)
    attributes: set[str] = field(default_factory=set)  # name.shape
    owned: list[ast.Attribute] = field(default_factory=list)
    methods: dict[str, ast.Call] = field(default_factory=dict)  # name.fit(…)
    subscripts: list[ast.Subscript] = field(default_factory=list)  # name[…]
    iterated: list[ast.For | ast.comprehension] = field(default_factory=list)  # for … in name
    arguments: list[tuple[ast.Call, int | str]] = field(default_factory=list)  # f(…, name, …)
    is_base: bool = False  # class Net(name)
    is_decorator: bool = False
    is_raised: bool = False
    entered: bool = False  # with name…
    numeric: bool = False  # stands in arithmetic or a range
    bounds: bool = False  # bounds a slice

    def absorb(self, other: Use) -> None:
        """Takes over how another name is used that stands for the same thing."""
        self.calls += other.calls
        self.attributes |= other.attributes
        self.methods.update({name: call for name, call in other.methods.items() if name not in self.methods})
        self.subscripts += other.subscripts
        self.iterated += other.iterated
        self.arguments += other.arguments
        self.numeric |= other.numeric

    @property
    def nodes_are_plain(self) -> bool:
        """Whether some use is of the name itself, not of an attribute."""
        return len(self.nodes) > len(self.owned)


@lru_cache(maxsize=32)
def undefined(text: str, also: frozenset[str] = frozenset()) -> dict[str, Use]:
    """The undefined names of a program in the order in which they are needed, each with its uses.

    ``also`` are names that a run found undefined, though the program gives them a meaning later on.
    """
    tree = parsed(text)
    if tree is None:
        return {}
    names = (_unbound(text) | _only_added_to(tree) | _used(tree, also)) - _KNOWN - {"self", "cls"}
    uses = {name: Use(name) for name in names}
    visitor = _Uses(uses)
    visitor.visit(tree)
    _through_functions(tree, uses)
    needed = _first_needed(tree, names)
    for name, use in uses.items():
        use.line = needed.get(name) or _statement_line(tree, use.nodes[0].lineno if use.nodes else 1)
    ordered = sorted(uses.items(), key=lambda item: (item[1].line, _first_place(item[1]), item[0]))
    return dict(ordered[:_MOST_NAMES])


def _statement_line(tree: ast.Module, line: int) -> int:
    """The line of the module-level statement around a line."""
    at = bisect_right(tree.body, line, key=lambda one: one.lineno) - 1
    return tree.body[at].lineno if at >= 0 and line <= (tree.body[at].end_lineno or line) else line


def _used(tree: ast.Module, names: frozenset[str]) -> set[str]:
    """Those of the names that are needed before anything gives them a meaning at module level."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in names} - _given_first(tree)


def _given_first(tree: ast.Module) -> set[str]:
    """Names whose first use, line by line, gives them a meaning in a statement of the module itself."""
    seen: set[str] = set()
    given: set[str] = set()
    for statement in tree.body:
        plain = isinstance(statement, ast.Assign | ast.Import | ast.ImportFrom)
        stored = {
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        loaded = {
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        given |= {name for name in stored - loaded if plain and name not in seen}
        seen |= stored | loaded
    return given


def _only_added_to(tree: ast.Module) -> set[str]:
    """Names that a program adds to and never gives a first value: ``total += loss``."""
    added = {
        node.target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
    inner = {id(node.target) for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}
    stored = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in inner
    }
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return (added - stored - parameters) | _only_from_itself(tree)


def _only_from_itself(tree: ast.Module) -> set[str]:
    """Names that are only ever made from themselves: ``loss = loss(output, target)``."""
    own: set[str] = set()
    other: set[str] = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    counted: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            read = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
            names = [target for target in node.targets if isinstance(target, ast.Name)]
            counted |= {id(target) for target in names if target.id in read}
            own |= {target.id for target in names if target.id in read}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in counted:
            other.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            other.add(node.name)
        elif isinstance(node, ast.alias):
            other.add((node.asname or node.name).split(".")[0])
    return own - other


def _through_functions(tree: ast.Module, uses: dict[str, Use]) -> None:
    """What a function of the program does with a parameter counts for the name that it is called with."""
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for use in uses.values():
        for call, place in list(use.arguments):
            function = functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
            if function is None:
                continue
            names = [one.arg for one in function.args.args]
            name = place if isinstance(place, str) else names[place] if place < len(names) else ""
            if name in names:
                inside = Use(name)
                _Uses({name: inside}).visit(ast.Module(function.body, []))
                use.absorb(inside)


def _first_place(use: Use) -> tuple[int, int]:
    return min(((node.lineno, node.col_offset) for node in use.nodes), default=(0, 0))


def _unbound(text: str) -> set[str]:
    """Names that some scope looks up globally and the module never binds."""
    top = symtable.symtable(text, "<program>", "exec")
    bound = {
        one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported() or one.is_namespace()
    }
    wanted: set[str] = set()

    def walk(table: symtable.SymbolTable) -> None:
        for one in table.get_symbols():
            if table is top:
                if one.is_referenced():
                    wanted.add(one.get_name())
            elif one.is_global():
                if one.is_referenced():
                    wanted.add(one.get_name())
                if one.is_declared_global() and one.is_assigned():
                    bound.add(one.get_name())
        for child in table.get_children():
            walk(child)

    walk(top)
    return wanted - bound


def _first_needed(tree: ast.Module, names: set[str]) -> dict[str, int]:
    """The line of the first module-level statement that uses each name, itself or through what it calls."""
    owners = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    wanted = {name: _names_in(node) for name, node in owners.items()}
    needed: dict[str, int] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            used = _names_at_definition(statement)
        else:
            used = _names_in(statement)
            reached: set[str] = set()
            frontier = used & owners.keys()
            while frontier:
                owner = frontier.pop()
                if owner not in reached:
                    reached.add(owner)
                    used |= wanted[owner]
                    frontier |= wanted[owner] & owners.keys()
        for name in used & names:
            needed.setdefault(name, statement.lineno)
    return needed


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _names_at_definition(node: ast.FunctionDef | ast.ClassDef) -> set[str]:
    """What is evaluated when a definition is reached: decorators, defaults, bases; of a class its body, too."""
    parts: list[ast.AST] = list(node.decorator_list)
    if isinstance(node, ast.FunctionDef):
        parts += [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        parts += [one.annotation for one in arguments if one.annotation is not None]
        parts += [node.returns] if node.returns is not None else []
        return {name for part in parts for name in _names_in(part)}
    found = {name for part in (*parts, *node.bases, *node.keywords) for name in _names_in(part)}
    for statement in node.body:
        inner = isinstance(statement, ast.FunctionDef | ast.ClassDef)
        found |= _names_at_definition(statement) if inner else _names_in(statement)  # type: ignore[arg-type]
    return found


class _Uses(ast.NodeVisitor):
    """Notes for each name in what way it is used."""

    def __init__(self, uses: dict[str, Use]) -> None:
        self.uses = uses

    def _of(self, node: ast.AST | None) -> Use | None:
        return self.uses.get(node.id) if isinstance(node, ast.Name) else None

    def visit_Name(self, node: ast.Name) -> None:
        if (use := self._of(node)) is not None:
            use.nodes.append(node)

    def visit_Call(self, node: ast.Call) -> None:
        if (use := self._of(node.func)) is not None:
            use.calls.append(node)
        if isinstance(node.func, ast.Attribute) and (use := self._of(node.func.value)) is not None:
            use.methods.setdefault(node.func.attr, node)
        for place, argument in enumerate(node.args):
            for inner in argument.elts if isinstance(argument, ast.Tuple | ast.List) else [argument]:
                plain = inner.value if isinstance(inner, ast.Starred | ast.Subscript) else inner
                if (use := self._of(plain)) is not None:
                    use.arguments.append((node, place))
                    use.numeric |= isinstance(node.func, ast.Name) and node.func.id == "range"
        for keyword in node.keywords:
            parts = keyword.value.elts if isinstance(keyword.value, ast.Tuple | ast.List) else [keyword.value]
            for part in parts:
                if (use := self._of(part)) is not None:
                    use.arguments.append((node, keyword.arg or "**"))
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if (use := self._of(node.value)) is not None:
            use.attributes.add(node.attr)
            use.owned.append(node)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if (use := self._of(node.value)) is not None:
            use.subscripts.append(node)
        for part in ast.walk(node.slice):
            if isinstance(part, ast.Slice):
                for bound in (part.lower, part.upper, part.step):
                    for name in ast.walk(bound) if bound is not None else ():
                        if (use := self._of(name)) is not None:
                            use.bounds = True
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self._iterate(node, node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._iterate(node, node.iter)
        self.generic_visit(node)

    def _iterate(self, node: ast.For | ast.comprehension, over: ast.expr) -> None:
        wrapped = isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and bool(over.args)
        if wrapped and isinstance(over, ast.Call) and over.func.id in {"enumerate", "tqdm", "iter", "zip", "reversed"}:  # type: ignore[attr-defined]
            over = over.args[0]
        if (use := self._of(over)) is not None:
            use.iterated.append(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for base in node.bases:
            if (use := self._of(base)) is not None:
                use.is_base = True
        self._decorated(node.decorator_list)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._decorated(node.decorator_list)
        self.generic_visit(node)

    def _decorated(self, decorators: list[ast.expr]) -> None:
        for decorator in decorators:
            plain = decorator.func if isinstance(decorator, ast.Call) else decorator
            if (use := self._of(plain)) is not None:
                use.is_decorator = True

    def visit_Raise(self, node: ast.Raise) -> None:
        plain = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if (use := self._of(plain)) is not None:
            use.is_raised = True
        self.generic_visit(node)

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            if (use := self._of(item.context_expr)) is not None:
                use.entered = True
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        for side in (node.left, node.right):
            if (use := self._of(side)) is not None:
                use.numeric = True
        self.generic_visit(node)
