"""Values that are not what a line takes them for: results that are not returned, names that are spelt otherwise."""

from __future__ import annotations

import ast
import builtins
import re
from difflib import get_close_matches

from bugloss.core.edit import Edit
from bugloss.core.network.layer import LayerFamily, family_of
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import after, node_called, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import insert_after, replace_last_word, replace_node, replace_span
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import chain_text, dotted, stored, walk, walk_here

_COMPUTING = {"forward": ("forwards", "foward", "forwad", "froward", "call"), "call": ("calls", "cal", "forward")}
_CLOSE = 0.75
_SIMILAR = 0.6  # of keys, which are longer and shortened more often than names


def unpacked(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``x = self.lstm(x)`` becomes ``x, _ = self.lstm(x)``."""
    statement = file.module.statement(scene.place.line) if scene.place else None
    for node in walk(statement) if statement is not None else ():
        made = [one for one in file.module.assignments.get(chain_text(node), ()) if one.lineno <= scene_line(scene)]
        for one in made[-1:]:
            layer = _layer_called(file, one.value)
            if layer and family_of(layer) in {LayerFamily.RECURRENT, LayerFamily.ATTENTION}:
                target = one.targets[0]
                return replace_node(file.module, target, f"{file.module.source.segment(target)}, _")
    return None


def scene_line(scene: Scene) -> int:
    return scene.place.line if scene.place else 0


def _layer_called(file: CrashedFile, value: ast.expr) -> str:
    if not isinstance(value, ast.Call):
        return ""
    return next((made.kind for made in file.layers() if made.name and made.name == dotted(value.func)), "")


def returned(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A function whose result is used returns what it computed last."""
    names = _called_on(scene, file)
    for module in file.modules:
        for function in module.nodes[ast.FunctionDef]:
            if not isinstance(function, ast.FunctionDef) or function.name not in names or not _computes(function):
                continue
            last = function.body[-1]
            result = _unpacked_from(scene, file, function) or _result_of(last)
            if result:
                return insert_after(module, last, f"return {result}")
    return None


def _unpacked_from(scene: Scene, file: CrashedFile, function: ast.FunctionDef) -> str:
    """The names that the crashing line unpacks, where the function has values of these names."""
    statement = file.module.statement(scene_line(scene))
    targets = [statement.target] if isinstance(statement, ast.For) else getattr(statement, "targets", [])
    wanted = targets[0] if targets and isinstance(targets[0], ast.Tuple) else None
    made = {one.id for one in walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return ast.unparse(wanted).strip("()") if wanted is not None and stored(wanted) <= made else ""


def _called_on(scene: Scene, file: CrashedFile) -> set[str]:
    """The functions whose results the crashing line may use; what calls a module calls its ``forward``."""
    line = scene_line(scene)
    statement = file.module.statement(line)
    values = list(walk(statement)) if statement is not None else []
    values += [
        part
        for node in values
        for one in file.module.assignments.get(chain_text(node), ())[-1:]
        if one.lineno <= line
        for part in walk(one.value)
    ]
    called = {dotted(node.func).rsplit(".", 1)[-1] for node in values if isinstance(node, ast.Call)}
    called |= {item.value.id for item in values if isinstance(item, ast.keyword) if isinstance(item.value, ast.Name)}
    return {*called, "forward", "call", "__getitem__"} if called else {"forward", "call"}


def _computes(function: ast.FunctionDef) -> bool:
    """Whether a function has a last line with a result and no way out that returns one."""
    return not any(
        isinstance(node, ast.Yield | ast.YieldFrom) or (isinstance(node, ast.Return) and node.value is not None)
        for node in walk_here(function.body)
    )


def _result_of(last: ast.stmt) -> str:
    if isinstance(last, ast.Assign) and len(last.targets) == 1:
        names = sorted(stored(last.targets[0]))
        return ast.unparse(last.targets[0]) if names and isinstance(last.targets[0], ast.Name | ast.Tuple) else ""
    return ""


def known_name(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A name that is spelt nearly like one that the program has."""
    name = match.groupdict().get("name") or ""
    node = node_called(file, scene_line(scene), name) if name else None
    module = file.module
    known = {one.id for one in module.nodes[ast.Name] if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    known |= {one.arg for one in module.nodes[ast.arg] if isinstance(one, ast.arg)} | set(module.names.imported)
    known |= {one.name for one in (*module.nodes[ast.FunctionDef], *module.nodes[ast.ClassDef]) if hasattr(one, "name")}
    close = get_close_matches(name, known - {name} | set(dir(builtins)), n=1, cutoff=_CLOSE)
    return rewrite(module, node, close[0]) if node is not None and close else None


def known_attribute(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An attribute that is spelt nearly like one that the class has."""
    owner, name = match.groupdict().get("owner") or "", match.groupdict().get("name") or ""
    wrong = [
        node
        for node in walk(file.module.statement(scene_line(scene)) or ast.Pass())
        if isinstance(node, ast.Attribute) and node.attr == name
    ]
    for module in file.modules:
        for cls in module.nodes[ast.ClassDef]:
            if isinstance(cls, ast.ClassDef) and cls.name == owner.rsplit(".", 1)[-1] and wrong:
                close = get_close_matches(name, _attributes(cls) - {name}, n=1, cutoff=_CLOSE)
                return replace_last_word(file.module, wrong[0], close[0]) if close else None
    return None


def _attributes(cls: ast.ClassDef) -> set[str]:
    methods = {node.name for node in cls.body if isinstance(node, ast.FunctionDef)}
    stores = {node.attr for node in walk(cls) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
    return methods | stores


def with_self(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A method without ``self`` gets it."""
    name = (match.groupdict().get("function") or "").rsplit(".", 1)[-1]
    for module in file.modules:
        for node in module.nodes[ast.FunctionDef]:
            if not isinstance(node, ast.FunctionDef) or node.name != name or node.decorator_list:
                continue
            first = node.args.args[0] if node.args.args else None
            if isinstance(module.parents.get(node), ast.ClassDef) and (first is None or first.arg != "self"):
                return _first_parameter(module, node, first)
    return None


def _first_parameter(module: SourceModule, node: ast.FunctionDef, first: ast.arg | None) -> Edit | None:
    if first is not None:
        return replace_node(module, first, f"self, {ast.unparse(first)}")
    line = module.source.lines[node.lineno - 1]
    column = line.find("(", node.col_offset) + 1
    span = module.span(node).start
    at = type(span)(node.lineno, column, node.lineno, column)
    return Edit.of(replace_span(module, at, "self")) if column else None


def known_method(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``forward`` or ``call`` where a method is spelt nearly so."""
    for module in file.modules:
        torch = "torch" in module.names.roots
        right = "forward" if torch else "call"
        for cls in module.nodes[ast.ClassDef]:
            methods = (
                [node for node in cls.body if isinstance(node, ast.FunctionDef)]
                if isinstance(cls, ast.ClassDef)
                else []
            )
            near = [node for node in methods if node.name in _COMPUTING[right]]
            if near and not any(node.name == right for node in methods):
                at = module.source.lines[near[0].lineno - 1].find(near[0].name, near[0].col_offset)
                span = module.span(near[0]).start
                stretch = type(span)(near[0].lineno, at, near[0].lineno, at + len(near[0].name))
                return Edit.of(replace_span(module, stretch, right))
    return None


def one_truth(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``if a == b`` of whole arrays asks whether all are equal."""
    statement = file.module.statement(scene_line(scene))
    if isinstance(statement, ast.If | ast.While | ast.Assert) and isinstance(statement.test, ast.Compare):
        return after(file.module, statement.test, ".all()")
    return None


def on_device(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A tensor of the processor goes to the device that the program names."""
    line = scene.place.text if scene.place else ""
    named = [one for one in scene.operands if re.search(rf"(?<![\w.]){re.escape(one.name)}(?![\w.(])", line)]
    left = [one for one in named if one.device == "cpu" and "." not in one.name]
    node = node_called(file, scene_line(scene), left[0].name) if len(left) == 1 else None
    if node is None or not file.module.assignments.get("device"):
        return None
    end = file.steps_back(file.module, node)[-1]
    is_made = isinstance(end.node, ast.Call) and not end.wanted and end.module is file.module
    return after(file.module, end.node if is_made and isinstance(end.node, ast.Call) else node, ".to(device)")


def key_as_read(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A key of a dictionary under the name by which it is read."""
    name = scene.text.strip().strip("'\"")
    for module in file.modules:
        keys = [
            key
            for node in module.nodes[ast.Dict]
            if isinstance(node, ast.Dict)
            for key in node.keys
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        ]
        read = {
            node.slice.value
            for node in module.nodes[ast.Subscript]
            if isinstance(node, ast.Subscript)
            if isinstance(node.slice, ast.Constant)
        }
        close = get_close_matches(name, [str(key.value) for key in keys if key.value not in read], n=1, cutoff=_SIMILAR)
        if close:
            return rewrite(module, next(key for key in keys if key.value == close[0]), f'"{name}"')
    return None


def registered_buffer(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A tensor that a module keeps as a plain attribute stays where it was made; a buffer moves with the module."""
    module = file.module
    statement = module.statement(scene.place.line) if scene.place else None
    used = {ast.unparse(node) for node in walk(statement) if isinstance(node, ast.Attribute)} if statement else set()
    for made in (one for name in sorted(used) for one in module.assignments.get(name, ())):
        function = module.enclosing(made, ast.FunctionDef)
        target = made.targets[0]
        is_tensor = isinstance(made.value, ast.Call) and re.match(
            r"torch\.(?!nn\b|device)\w+$", module.names.qualified(made.value.func) or ""
        )
        if isinstance(target, ast.Attribute) and getattr(function, "name", "") == "__init__" and is_tensor:
            owner = module.source.segment(target.value)
            value = module.source.segment(made.value)
            return rewrite(module, made, f'{owner}.register_buffer("{target.attr}", {value})')
    return None
