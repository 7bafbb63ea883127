"""Another name where one is read: a value that was made for the purpose and is used nowhere, another axis or part."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import operand_text, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.repair.typed_edits.contract import TypedEdit
from bugloss.source.editing import replace_node
from bugloss.source.origins.bindings import FUNCTIONS
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, walk

_SURE = 0.24
_MOST = 8


def name_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Values that are made and not used, axes of shapes, parts of what is saved."""
    yield from list(_unused(file))[:_MOST]
    yield from list(_axes(file))[:_MOST]
    if "state_dict" in scene.text:
        yield from _parts(scene, file)


def _unused(file: CrashedFile) -> Iterator[TypedEdit]:
    """A local value that is never read stands for the one that it was made of."""
    for module in file.modules:
        for function in module.nodes[ast.FunctionDef]:
            nodes = walk(function)
            read = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
            called = {one.func for one in nodes if isinstance(one, ast.Call)}
            for made in (one for one in nodes if isinstance(one, ast.Assign) and len(one.targets) == 1):
                target = made.targets[0]
                if not isinstance(target, ast.Name) or target.id in read or target.id.startswith("_"):
                    continue
                sources = {one.id for one in walk(made.value) if isinstance(one, ast.Name) and one not in called}
                for use in (node for node in nodes if node not in called):
                    is_read = isinstance(use, ast.Name) and isinstance(use.ctx, ast.Load) and use.lineno > made.lineno
                    if is_read and isinstance(use, ast.Name) and use.id in sources and not _is_shape_of(module, use):
                        reason = f"{target.id} is made in line {made.lineno} and never used."
                        yield TypedEdit(replace_node(module, use, target.id), FixPattern.DATA_WRANGLING, _SURE, reason)


def _is_shape_of(module: SourceModule, use: ast.Name) -> bool:
    parent = module.parents.get(use)
    return isinstance(parent, ast.Attribute) and parent.attr in {"shape", "size", "ndim", "dtype", "device"}


def _axes(file: CrashedFile) -> Iterator[TypedEdit]:
    """``shape[1]`` for ``shape[-1]`` in what makes weights and offsets."""
    for module in file.modules:
        for node in module.nodes[ast.Subscript]:
            if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
                continue
            if node.slice.value != 1 or not ast.unparse(node.value).endswith("shape"):
                continue
            call = module.enclosing(node, ast.Call)
            function = module.enclosing(node, *FUNCTIONS)
            is_weight = isinstance(call, ast.Call) and method_of(call) == "add_weight"
            if is_weight or getattr(function, "name", "") == "build":
                reason = "The last axis holds the features, whatever stands before it."
                yield TypedEdit(rewrite(module, node.slice, "-1"), FixPattern.LAYER_DIMENSION, _SURE, reason)


def _parts(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """The weights of a part are saved as the part's, or loaded into it."""
    keys = re.findall(r"\"([\w.]+)\"", scene.text.partition("Unexpected key")[2])
    wanted = re.findall(r"\"([\w.]+)\"", scene.text.partition("Unexpected key")[0])
    reason = "The keys of the saved weights are those of another module."
    for prefix in _prefixes(keys, wanted):
        for module in file.modules:
            for call in module.called("state_dict"):
                if isinstance(call.func, ast.Attribute) and not call.args and _is_saved(module, call):
                    owner = module.source.segment(call.func.value)
                    edit = replace_node(module, call.func.value, f"{owner}.{prefix}")
                    yield TypedEdit(edit, FixPattern.API_CONTRACT, _SURE, reason)
    for prefix in _prefixes(keys, wanted):
        for call in file.module.calls_on(scene.place.line) if scene.place else ():
            if method_of(call) == "load_state_dict" and len(call.args) == 1:
                state = operand_text(file.module, call.args[0])
                text = f'{{key.removeprefix("{prefix}."): value for key, value in {state}.items()}}'
                yield TypedEdit(rewrite(file.module, call.args[0], text), FixPattern.API_CONTRACT, _SURE, reason)
    for prefix in _prefixes(wanted, keys):
        for module in file.modules:
            for call in module.called("load_state_dict"):
                if isinstance(call.func, ast.Attribute):
                    owner = module.source.segment(call.func.value)
                    edit = replace_node(module, call.func.value, f"{owner}.{prefix}")
                    yield TypedEdit(edit, FixPattern.API_CONTRACT, _SURE, reason)


def _prefixes(longer: list[str], shorter: list[str]) -> list[str]:
    """What stands before keys of one list where the other has them without it."""
    known = set(shorter)
    found = [key[: -len(end) - 1] for key in longer for end in known if key.endswith(f".{end}")]
    return sorted(dict.fromkeys(found), key=len)[:1]


def _is_saved(module: SourceModule, call: ast.Call) -> bool:
    outer = module.enclosing(call, ast.Call)
    return isinstance(outer, ast.Call) and method_of(outer) in {"save", "deepcopy"}
