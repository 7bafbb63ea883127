"""Gradients that cannot be computed: graphs used twice, chains that were cut, layers that nobody sees."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit, merged, quoted
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import after, operand_text, pass_argument, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import delete_statement, insert_before, replace_node, unwrap_call
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import dotted, loads, method_of, receiver_of, stored, walk

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_CUTTING = {"detach", "item"}


def compute_again(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A loss that is computed before the loop is computed inside; a state that is carried over is detached."""
    line = scene.place.line if scene.place else 0
    for call in file.module.calls_on(line):
        receiver = receiver_of(call)
        loop = file.module.enclosing(call, *_LOOPS)
        if method_of(call) != "backward" or not isinstance(receiver, ast.Name) or not isinstance(loop, _LOOPS):
            continue
        made = file.module.assigned_before(receiver.id, loop)
        inside = [node for node in file.module.assignments.get(receiver.id, ()) if node.lineno > loop.lineno]
        if made is not None and not inside:
            return _into(file.module, made, loop)
        return _carried(file, loop)
    return None


def _into(module: SourceModule, loss: ast.Assign, loop: ast.For | ast.AsyncFor | ast.While) -> Edit:
    """Moves the forward pass into a loop: the loss, and what the lines right above compute for it by calls."""
    first, moved = loop.body[0], [loss]
    needed = loads(loss)
    above = [node for node in module.nodes[ast.Assign] if isinstance(node, ast.Assign) and node.lineno < loss.lineno]
    for node in sorted(above, key=lambda one: -one.lineno):
        names = {name for target in node.targets for name in stored(target)}
        is_computed = isinstance(node.value, ast.Call) and module.names.qualified(node.value.func) is None
        if (node.end_lineno or 0) + 1 != moved[0].lineno or not names & needed or not is_computed:
            break
        moved.insert(0, node)
        needed |= loads(node)
    words = (
        f"move {quoted(module.source.segment(loss))} from line {loss.lineno} into the loop, before line {first.lineno}"
    )
    text = "\n".join(module.source.segment(node) for node in moved)
    inserted = insert_before(module, first, text.replace("\n", f"\n{' ' * first.col_offset}")).changes
    return Edit(words, (*(delete_statement(module, node).changes[0] for node in reversed(moved)), *inserted))


def _carried(file: CrashedFile, loop: ast.AST) -> Edit | None:
    """``out, state = rnn(x, state)`` in a loop carries the graph of every step before."""
    for node in walk(loop):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        bound = {name for target in node.targets for name in stored(target)}
        passed = {one.id for one in node.value.args if isinstance(one, ast.Name)}
        for name in sorted(bound & passed):
            is_pair = any(made.kind == "LSTM" and made.name == dotted(node.value.func) for made in file.layers())
            state = f"tuple(part.detach() for part in {name})" if is_pair else f"{name}.detach()"
            return insert_before(file.module, node, f"{name} = {state}")
        for pair in (one for one in node.value.args if isinstance(one, ast.Tuple)):
            names = [part.id for part in pair.elts if isinstance(part, ast.Name) and part.id in bound]
            if names and len(names) == len(pair.elts):
                cut = ", ".join(f"{name}.detach()" for name in names)
                return replace_node(file.module, pair, f"({cut})")
    return None


def uncut(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The cut between the network and the loss: ``detach``, ``item``, a new tensor made of it."""
    cut = cut_of(scene, file)
    if cut is None:
        return None
    made_again = (file.module.names.qualified(cut.func) or "") in {"torch.tensor", "torch.Tensor"}
    inner = _first_cut(file.module, [cut.args[0]], set()) if made_again else None
    if inner is not None and method_of(inner) in {"tolist", "numpy"}:
        return merged([unwrap_call(file.module, cut), unwrap_call(file.module, inner)])
    return unwrap_call(file.module, cut) if made_again or method_of(cut) in _CUTTING else None


def cut_of(scene: Scene, file: CrashedFile) -> ast.Call | None:
    """The first call on the way back from the loss that passes no gradient on."""
    module = file.module
    return _first_cut(
        module, [receiver_of(call) for call in module.calls_on(scene.place.line if scene.place else 0)], set()
    )


def _first_cut(module: SourceModule, waiting: list[ast.expr | None], seen: set[str]) -> ast.Call | None:
    while waiting:
        node = waiting.pop(0)
        for part in walk(node) if node is not None else ():
            if isinstance(part, ast.Call) and _cuts(module, part):
                return part
            if isinstance(part, ast.Name) and part.id not in seen:
                seen.add(part.id)
                made = module.assigned_before(part.id, part)
                waiting += [made.value] if made is not None else []
    return None


def _cuts(module: SourceModule, call: ast.Call) -> bool:
    qualified = module.names.qualified(call.func) or ""
    copies = qualified in {"torch.tensor", "torch.Tensor", "torch.FloatTensor"} and bool(call.args)
    holds_tensor = copies and any(isinstance(node, ast.Name) for node in walk(call.args[0]))
    return holds_tensor or method_of(call) in {*_CUTTING, "argmax", "numpy", "round", "tolist", "sign", "argsort"}


def registered(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A plain list of layers becomes a ``ModuleList``; ``model.parameters`` is called."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        for given in (*call.args, *(item.value for item in call.keywords)):
            if isinstance(given, ast.Attribute) and given.attr in {"parameters", "named_parameters"}:
                return rewrite(file.module, given, f"{file.module.source.segment(given)}()")
    for module in file.modules:
        for statement in module.nodes[ast.Assign]:
            if (
                isinstance(statement, ast.Assign)
                and _is_attribute(statement)
                and _lists_layers(file, module, statement.value)
            ):
                prefix = _prefix(file, module, statement.value)
                return rewrite(module, statement.value, f"{prefix}ModuleList({module.source.segment(statement.value)})")
    return None


def _is_attribute(statement: ast.Assign) -> bool:
    return dotted(statement.targets[0]).startswith("self.")


def _lists_layers(file: CrashedFile, module: SourceModule, value: ast.expr) -> bool:
    return isinstance(value, ast.List | ast.ListComp) and any(
        made.module is module and made.call in walk(value) for made in file.layers()
    )


def _prefix(file: CrashedFile, module: SourceModule, value: ast.expr) -> str:
    inside = [made for made in file.layers() if made.module is module and made.call in walk(value)]
    func = inside[0].call.func
    return f"{module.source.segment(func.value)}." if isinstance(func, ast.Attribute) else ""


def parent_first(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``super().__init__()`` as the first line of the constructor."""
    node = file.module.statement(scene.place.line) if scene.place else None
    function = file.module.enclosing(node, ast.FunctionDef) if node is not None else None
    module = file.module
    if not isinstance(function, ast.FunctionDef) or function.name != "__init__":
        found = constructor_without_parent(file, match.groupdict().get("owner") or "")
        if found is None:
            return None
        module, function = found
    body = function.body
    is_documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1
    return insert_before(module, body[1] if is_documented else body[0], "super().__init__()")


def constructor_without_parent(file: CrashedFile, owner: str) -> tuple[SourceModule, ast.FunctionDef] | None:
    """The constructor of a class of the program that inherits and does not call its parent's."""
    for module in file.modules:
        for cls in module.nodes[ast.ClassDef]:
            if not isinstance(cls, ast.ClassDef) or cls.name != owner.rsplit(".", 1)[-1] or not cls.bases:
                continue
            for node in cls.body:
                if isinstance(node, ast.FunctionDef) and node.name == "__init__" and "__init__" not in _called_in(node):
                    return module, node
    return None


def _called_in(function: ast.FunctionDef) -> set[str]:
    return {method_of(node) for node in walk(function) if isinstance(node, ast.Call)}


def called(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A method that was named and not called."""
    statement = file.module.statement(scene.place.line) if scene.place else None
    nodes = walk(statement) if statement is not None else []
    functions = {node.func for node in nodes if isinstance(node, ast.Call)}
    named = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)]
    bare = [node for node in named if node not in functions and not _is_inside(file.module, node)]
    return after(file.module, bare[-1], "()") if len(bare) == 1 else None


def _is_inside(module: SourceModule, node: ast.AST) -> bool:
    return isinstance(module.parents.get(node), ast.Attribute)


def sum_of_scalars(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``losses.backward()`` of several values: their mean."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        receiver = receiver_of(call)
        if method_of(call) == "backward" and receiver is not None:
            return Edit(
                f"write {quoted(f'{ast.unparse(receiver)}.mean().backward()')} in line {call.lineno}",
                replace_node(file.module, receiver, f"{operand_text(file.module, receiver)}.mean()").changes,
            )
    return None


def kept_gradients(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Gradients that are added to by hand: clearing them leaves zeros and not None, as before PyTorch 2.0."""
    statement = file.module.statement(scene.place.line) if scene.place else None
    nodes = walk(statement) if statement is not None else []
    if "NoneType" not in scene.text or not any(isinstance(one, ast.Attribute) and one.attr == "grad" for one in nodes):
        return None
    calls = [(module, call) for module in file.modules for call in module.called("zero_grad")]
    edits = [pass_argument(module, call, "set_to_none", "False") for module, call in calls]
    found = [edit for edit in edits if edit is not None]
    return merged(found) if found else None
