"""Programs of another release: keys that were renamed, arguments in another order, results of another form."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from bugloss.core.edit import Edit, merged, quoted
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import rewrite
from bugloss.observe.crash.renamed import HISTORY_KEYS
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import insert_before, replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of

_KEYS: Mapping[str, str] = {**HISTORY_KEYS, **{new: old for old, new in HISTORY_KEYS.items()}}
# Functions of TensorFlow whose axis came first before 1.0, by how many arguments stand between.
_AXIS_FIRST = {"concat": 2, "split": 3}
# Activations that a release does not have yet, by their definition.
_DEFINED: Mapping[str, str] = {
    "Hardswish": "x * torch.nn.functional.relu6(x + 3) / 6",
    "Hardsigmoid": "torch.nn.functional.relu6(x + 3) / 6",
    "SiLU": "x * torch.sigmoid(x)",
    "Mish": "x * torch.tanh(torch.nn.functional.softplus(x))",
    "Identity": "x",
}


def history_keys(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The accuracy under the name that the installed release of Keras gives it, wherever the program reads it."""
    missing = scene.text.strip().strip("'\"")
    known = missing in HISTORY_KEYS
    edits = [
        rewrite(module, key, f'"{_KEYS[str(key.value)]}"')
        for module in file.modules
        for key in _read(module)
        if key.value in _KEYS and (key.value in HISTORY_KEYS) is known
    ]
    return merged(edits) if edits and missing in _KEYS else None


def _read(module: SourceModule) -> Iterator[ast.Constant]:
    """Keys by which a dictionary is read, and metrics that callbacks watch."""
    for node in module.nodes[ast.Subscript]:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Constant):
            yield node.slice
    for node in module.nodes[ast.Call]:
        if isinstance(node, ast.Call):
            watched = keyword_of(node, "monitor") or (node.args[0] if method_of(node) == "get" and node.args else None)
            if isinstance(watched, ast.Constant):
                yield watched


def axis_last(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``tf.concat(0, [a, b])`` of before TensorFlow 1.0 is ``tf.concat([a, b], 0)``, everywhere in the program."""
    on_line = file.module.calls_on(scene.place.line) if scene.place else []
    if not any(_has_axis_first(file, file.module, call) for call in on_line):
        return None
    edits = []
    for module in file.modules:
        for call in module.called(*_AXIS_FIRST):
            if _has_axis_first(file, module, call):
                texts = [module.source.segment(one) for one in reversed(call.args)]
                edits.append(rewrite(module, call, f"{module.source.segment(call.func)}({', '.join(texts)})"))
    return merged(edits)


def _has_axis_first(file: CrashedFile, module: SourceModule, call: ast.Call) -> bool:
    qualified = module.names.qualified(call.func) or ""
    count = _AXIS_FIRST.get(qualified.removeprefix("tensorflow."), 0)
    if not count or len(call.args) != count or call.keywords:
        return False
    last = call.args[-1]
    is_tensors = isinstance(last, ast.List | ast.Tuple) if count == 2 else file.number(module, last) is None
    return file.number(module, call.args[0]) is not None and is_tensors


def spectrum(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``torch.stft`` gives complex numbers since PyTorch 2.0; before, real and imaginary part were a last axis."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        around = file.module.parents.get(call)
        is_stft = (file.module.names.qualified(call.func) or "") == "torch.stft"
        if not is_stft or "return_complex" not in scene.text or keyword_of(call, "return_complex") is not None:
            continue
        text = f"{file.module.source.segment(call)[:-1].rstrip().rstrip(',')}, return_complex=True)"
        is_viewed = isinstance(around, ast.Call) and method_of(around) in {"view_as_real", "abs", "angle"}
        is_viewed |= isinstance(around, ast.Attribute) and around.attr in {"abs", "real", "imag", "angle"}
        return rewrite(file.module, call, text if is_viewed else f"torch.view_as_real({text})")
    return None


def inverse_spectrum(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``torch.istft`` takes complex numbers since PyTorch 2.0."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        is_istft = (file.module.names.qualified(call.func) or "") == "torch.istft"
        if is_istft and "complex" in scene.text and call.args:
            inner = file.module.source.segment(call.args[0])
            return rewrite(file.module, call.args[0], f"torch.view_as_complex({inner}.contiguous())")
    return None


def defined_here(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An activation that came with a later release of PyTorch, as a class of the program's own."""
    found = re.search(r"module 'torch\.nn' has no attribute '(?P<name>\w+)'", scene.text)
    name = found["name"] if found is not None else ""
    formula = _DEFINED.get(name)
    if formula is None:
        return None
    edits = [_defined(module, name, formula) for module in file.modules]
    whole = [edit for edit in edits if edit is not None]
    words = f"write a class {quoted(name)} that computes {quoted(formula)}, and use it"
    return Edit(words, merged(whole).changes) if whole else None


def _defined(module: SourceModule, name: str, formula: str) -> Edit | None:
    used = [node for node in module.nodes[ast.Attribute] if _is_named(module, node, f"torch.nn.{name}")]
    tree = next(iter(module.nodes[ast.Module]), None)
    body = tree.body if isinstance(tree, ast.Module) else []
    first = next((node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign)), None)
    if not used or first is None or "torch" not in module.names.imported:
        return None
    text = f"class {name}(torch.nn.Module):\n    def forward(self, x):\n        return {formula}\n\n"
    return merged([insert_before(module, first, text), *(replace_node(module, node, name) for node in used)])


def _is_named(module: SourceModule, node: ast.AST, qualified: str) -> bool:
    return isinstance(node, ast.expr) and module.names.qualified(node) == qualified
