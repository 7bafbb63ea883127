"""Names that a program uses and does not define, and how it uses them."""

from __future__ import annotations

import ast
import builtins
import symtable
from dataclasses import dataclass, field

from bugloss.source.text.syntax import children, walk
from bugloss.source.text.tree import SyntaxTree

_KNOWN = frozenset({*dir(builtins), "__file__", "__name__", "__doc__", "display", "get_ipython", "exit", "quit"})
_MOST_NAMES = 100  # a program that lacks more is not completed; each costs a look at all of it
_WRAPPERS = {"enumerate", "tqdm", "iter", "zip", "reversed"}


@dataclass(slots=True)
class NameUse:
    """How a program uses one undefined name."""

    name: str
    line: int = 0  # where it is first needed
    nodes: list[ast.Name] = field(default_factory=list)
    calls: list[ast.Call] = field(default_factory=list)  # name(…)
    attributes: set[str] = field(default_factory=set)  # name.shape
    methods: dict[str, ast.Call] = field(default_factory=dict)  # name.fit(…)
    subscripts: list[ast.Subscript] = field(default_factory=list)  # name[…]
    iterated: list[ast.For | ast.comprehension] = field(default_factory=list)  # for … in name
    arguments: list[tuple[ast.Call, int | str]] = field(default_factory=list)  # f(…, name, …)
    is_base: bool = False  # class Net(name)
    is_decorator: bool = False
    numeric: bool = False  # stands in arithmetic or a range
    bounds: bool = False  # bounds a slice
    nodes_are_plain: bool = False  # some use is of the name itself, not of an attribute

    def absorb(self, other: NameUse) -> None:
        """Takes over how another name is used that stands for the same thing."""
        self.calls += other.calls
        self.attributes |= other.attributes
        self.methods = {**other.methods, **self.methods}
        self.subscripts += other.subscripts
        self.iterated += other.iterated
        self.arguments += other.arguments
        self.numeric |= other.numeric


def undefined_uses(tree: ast.Module, text: str, also: frozenset[str] = frozenset()) -> dict[str, NameUse]:
    """The undefined names of a program in the order in which they are needed, each with its uses.

    ``also`` are names that a run found undefined, though the program gives them a value later on.
    """
    index = SyntaxTree(tree)
    names = (_unbound(text) | _without_first_value(index) | _needed_first(tree, also)) - _KNOWN - {"self", "cls"}
    uses = _uses(tree, index.parents, names)
    for use in uses.values():
        _through_functions(index, use)
    needed = _first_needed(tree, names)
    for name, use in uses.items():
        use.line = needed.get(name) or (use.nodes[0].lineno if use.nodes else 1)
    return dict(sorted(uses.items(), key=lambda item: (item[1].line, _first_place(item[1]), item[0]))[:_MOST_NAMES])


def _first_place(use: NameUse) -> tuple[int, int]:
    return min(((node.lineno, node.col_offset) for node in use.nodes), default=(0, 0))


def _read(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def _unbound(text: str) -> set[str]:
    """Names that some scope looks up globally and the module never binds."""
    top = symtable.symtable(text, "<program>", "exec")
    bound = {
        one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported() or one.is_namespace()
    }
    wanted: set[str] = set()
    waiting: list[symtable.SymbolTable] = [top]
    for table in waiting:  # the list grows while it is walked
        waiting += table.get_children()
        for one in table.get_symbols():
            if one.is_referenced() and (table is top or one.is_global()):
                wanted.add(one.get_name())
            if table is not top and one.is_declared_global() and one.is_assigned():
                bound.add(one.get_name())
    return wanted - bound


def _without_first_value(index: SyntaxTree) -> set[str]:
    """Names that are only ever added to or made from themselves: ``total += loss``, ``loss = loss(output, target)``."""
    own: set[str] = set()
    counted: set[ast.AST] = set()
    for node in (*index.nodes[ast.AugAssign], *index.nodes[ast.Assign]):
        targets = [node.target] if isinstance(node, ast.AugAssign) else getattr(node, "targets", [])
        read = None if isinstance(node, ast.AugAssign) else _read(node.value)  # type: ignore[attr-defined]
        for target in targets:
            if isinstance(target, ast.Name) and (read is None or target.id in read):
                own.add(target.id)
                counted.add(target)
    stored = {
        node.id
        for node in index.nodes[ast.Name]
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in counted
    }
    defined = {node.name for kind in (ast.FunctionDef, ast.ClassDef) for node in index.nodes[kind]}  # type: ignore[attr-defined]
    imported = {(one.asname or one.name).split(".")[0] for one in index.nodes[ast.alias]}  # type: ignore[attr-defined]
    return own - stored - defined - imported - {one.arg for one in index.nodes[ast.arg]}  # type: ignore[attr-defined]


def _needed_first(tree: ast.Module, names: frozenset[str]) -> set[str]:
    """Those of the names that are needed before a plain statement of the module gives them a value."""
    seen: set[str] = set()
    given: set[str] = set()
    for statement in tree.body if names else ():
        stored = {part.id for part in walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        loaded = {part.id for part in walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
        if isinstance(statement, ast.Assign | ast.Import | ast.ImportFrom):
            given |= stored - loaded - seen
        seen |= stored | loaded
    return (seen & names) - given


def _first_needed(tree: ast.Module, names: set[str]) -> dict[str, int]:
    """The line of the first module-level statement that uses each name, itself or through what it calls."""
    owners = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    wanted = {name: _read(node) for name, node in owners.items()}
    needed: dict[str, int] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            used = _read_at_definition(statement)
        else:
            used, reached = _read(statement), set[str]()
            while frontier := used & owners.keys() - reached:
                reached |= frontier
                used |= {name for owner in frontier for name in wanted[owner]}
        for name in used & names:
            needed.setdefault(name, statement.lineno)
    for statement in tree.body:  # what only a definition reads is needed where that stands
        for name in _read(statement) & names:
            needed.setdefault(name, statement.lineno)
    return needed


def _read_at_definition(node: ast.FunctionDef | ast.ClassDef) -> set[str]:
    """What is evaluated when a definition is reached: decorators, defaults, bases; of a class its body, too."""
    if isinstance(node, ast.FunctionDef):
        parts = [part for part in children(node) if part not in node.body]
        return {name for part in parts for name in _read(part)}
    found: set[str] = set()
    for part in children(node):
        inner = isinstance(part, ast.FunctionDef | ast.ClassDef)
        found |= _read_at_definition(part) if inner else _read(part)  # type: ignore[arg-type]
    return found


def _through_functions(index: SyntaxTree, use: NameUse) -> None:
    """What a function of the program does with a parameter counts for the name that it is called with."""
    functions = {node.name: node for node in index.nodes[ast.FunctionDef] if isinstance(node, ast.FunctionDef)}
    for call, place in list(use.arguments):
        function = functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
        names = [one.arg for one in function.args.args] if function is not None else []
        name = place if isinstance(place, str) else names[place] if place < len(names) else ""
        if function is not None and name in names:
            inside = _uses(ast.Module(function.body, []), index.parents, {name})
            use.absorb(inside[name])


def _uses(tree: ast.Module, parents: dict[ast.AST, ast.AST], names: set[str]) -> dict[str, NameUse]:
    uses = {name: NameUse(name) for name in names}
    found = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id in uses]
    for node in sorted(found, key=lambda one: (one.lineno, one.col_offset)):
        uses[node.id].nodes.append(node)
        _note(uses[node.id], node, parents)
    return uses


def _note(use: NameUse, node: ast.Name, parents: dict[ast.AST, ast.AST]) -> None:
    """In what way a name is used in one place."""
    parent = parents.get(node)
    around = parents.get(parent) if parent is not None else None
    use.nodes_are_plain |= not isinstance(parent, ast.Attribute)
    if isinstance(parent, ast.Call) and parent.func is node:
        use.calls.append(parent)
        use.is_decorator |= parent in getattr(around, "decorator_list", [])
    elif isinstance(parent, ast.Attribute):
        use.attributes.add(parent.attr)
        if isinstance(around, ast.Call) and around.func is parent:
            use.methods.setdefault(parent.attr, around)
    elif isinstance(parent, ast.Subscript) and parent.value is node:
        use.subscripts.append(parent)
    use.is_base |= isinstance(parent, ast.ClassDef) and node in parent.bases
    use.is_decorator |= node in getattr(parent, "decorator_list", [])
    use.numeric |= isinstance(parent, ast.BinOp)
    use.bounds |= _bounds_a_slice(node, parents)
    _note_argument(use, node, parents)
    over, loop = (node, parent)
    if isinstance(parent, ast.Call) and getattr(parent.func, "id", "") in _WRAPPERS and parent.args[:1] == [node]:
        over, loop = parent, around  # type: ignore[assignment]
    if isinstance(loop, ast.For | ast.comprehension) and loop.iter is over:
        use.iterated.append(loop)


def _note_argument(use: NameUse, node: ast.Name, parents: dict[ast.AST, ast.AST]) -> None:
    """The calls that a name is passed to: plain, as ``*name``, as ``name[…]``, or inside a tuple or list."""
    part: ast.AST = node
    outer = parents.get(part)
    if isinstance(outer, ast.Starred | ast.Subscript) and outer.value is node:
        part, outer = outer, parents.get(outer)
    wrapped = part is not node
    if isinstance(outer, ast.Tuple | ast.List):
        part, outer = outer, parents.get(outer)
    call = parents.get(outer) if isinstance(outer, ast.keyword) else outer
    if not isinstance(call, ast.Call):
        return
    if isinstance(outer, ast.keyword):
        if not wrapped:
            use.arguments.append((call, outer.arg or "**"))
    elif part in call.args:
        use.arguments.append((call, call.args.index(part)))
        use.numeric |= isinstance(call.func, ast.Name) and call.func.id == "range"


def _bounds_a_slice(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    current = parents.get(node)
    while isinstance(current, ast.expr):
        if isinstance(current, ast.Slice):
            return True
        current = parents.get(current)
    return False
