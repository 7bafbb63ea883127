"""Keras models: losses of several terms or of tensors, metrics per output, masks, batches of a state, file names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit, merged
from bugloss.core.network.layer import LayerFamily, family_of
from bugloss.core.network.loss import losses_in
from bugloss.observe.crash.crashed_file import CrashedFile, Made
from bugloss.observe.crash.fixes.rewriting import rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import insert_before, remove_argument, rename_keyword, replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of, receiver_of, walk

_ENDING = re.compile(r"must end in `(?P<ending>\.[\w.]+)`.*?(?:filepath|path)=(?P<path>\S+)", re.DOTALL)
_ARITY = re.compile(r"expected: (?P<wanted>\d+), got: (?P<given>\d+)")


def sum_of_terms(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A loss function that returns its terms one by one returns their sum."""
    names = {
        ast.unparse(given)
        for module in file.modules
        for call in module.called("compile")
        if (given := _loss_of(call)) is not None and isinstance(given, ast.Name | ast.Attribute)
    }
    for module in file.modules:
        for function in module.nodes[ast.FunctionDef]:
            if isinstance(function, ast.FunctionDef) and function.name in {name.split(".")[-1] for name in names}:
                last = function.body[-1]
                if isinstance(last, ast.Return) and isinstance(last.value, ast.Tuple | ast.List) and last.value.elts:
                    terms = [_term(module, one) for one in last.value.elts]
                    return replace_node(module, last.value, " + ".join(terms))
    return None


def _term(module: SourceModule, node: ast.expr) -> str:
    text = module.source.segment(node)
    return f"({text})" if isinstance(node, ast.IfExp | ast.Lambda | ast.Compare | ast.BoolOp) else text


def _loss_of(call: ast.Call) -> ast.expr | None:
    return keyword_of(call, "loss") or (call.args[1] if len(call.args) > 1 else None)


def added_loss(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A loss that is a tensor of the model is added with ``add_loss``: ``compile`` takes functions of labels."""
    for module in file.modules:
        for call in module.called("compile"):
            given, model, statement = _loss_of(call), receiver_of(call), module.enclosing(call, ast.stmt)
            if not isinstance(given, ast.Name) or model is None or not isinstance(statement, ast.stmt):
                continue
            made = module.assigned_before(given.id, call)
            if made is not None and isinstance(made.value, ast.BinOp | ast.Call):
                passed = next((item for item in call.keywords if item.value is given), given)
                added = insert_before(module, statement, f"{module.source.segment(model)}.add_loss({given.id})")
                return merged([added, remove_argument(module, call, passed)])
    return None


def metrics_per_output(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """One metric for a model of several outputs: it goes to the output whose loss is about classes."""
    said = _ARITY.search(scene.text)
    for module in file.modules if said is not None and "metrics" in scene.text else ():
        for call in module.called("compile"):
            metrics, losses = keyword_of(call, "metrics"), _loss_of(call)
            count = int(said["wanted"]) if said is not None else 0
            if not isinstance(metrics, ast.List) or len(metrics.elts) >= count:
                continue
            texts = [module.source.segment(one) for one in losses.elts] if isinstance(losses, ast.List) else []
            places = [at for at, text in enumerate(texts) if any(row.classifies for row in losses_in(text))]
            inner = ", ".join(module.source.segment(one) for one in metrics.elts)
            inner = inner if len(metrics.elts) == 1 else f"[{inner}]"
            if len(texts) == count and len(places) == 1:
                rows = [inner if at == places[0] else "None" for at in range(count)]
                return replace_node(module, metrics, f"[{', '.join(rows)}]")
    return None


def average_under_mask(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``Flatten`` takes no mask; the mean over the steps that are not masked does."""
    if "masking" not in scene.text or "flatten" not in scene.text.lower():
        return None
    for module in file.modules:
        for call in module.called("Flatten"):
            if isinstance(call.func, ast.Attribute):
                text = f"{module.source.segment(call.func.value)}.GlobalAveragePooling1D"
                return replace_node(module, call.func, text)
            imported = _import_of(module, "Flatten")
            if imported is not None:
                edits = [replace_node(module, imported, "GlobalAveragePooling1D")] if _is_only_use(module) else []
                edits = edits or [replace_node(module, imported, "Flatten, GlobalAveragePooling1D")]
                return merged([rewrite(module, call.func, "GlobalAveragePooling1D"), *edits])
    return None


def _import_of(module: SourceModule, name: str) -> ast.alias | None:
    imports = [node for node in module.nodes[ast.ImportFrom] if isinstance(node, ast.ImportFrom)]
    return next((one for node in imports for one in node.names if one.name == name and one.asname is None), None)


def _is_only_use(module: SourceModule) -> bool:
    return len(module.called("Flatten")) == 1


def without_mask(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An embedding whose layers take no mask makes none."""
    for module in file.modules if "masking" in scene.text else ():
        for call in module.called("Embedding"):
            given = next((item for item in call.keywords if item.arg == "mask_zero"), None)
            if given is not None:
                return remove_argument(module, call, given)
    return None


def batch_of_state(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A recurrent layer that keeps its state gets the size of the batches that the program feeds it."""
    stateful = [made for made in file.layers() if _keeps_state(made)]
    sizes = {ast.unparse(size) for module in file.modules for size in _batch_sizes(module)}
    if "stateful" not in scene.text or not stateful or len(sizes) != 1:
        return None
    size, module = sizes.pop(), stateful[0].module
    for call in (stateful[0].call, *module.called("Input", "InputLayer")):
        item = next((one for one in call.keywords if one.arg in {"input_shape", "shape"}), None)
        shape = item.value if item is not None else None
        if item is not None and isinstance(shape, ast.Tuple):
            name = "batch_input_shape" if item.arg == "input_shape" else "batch_shape"
            inner = ", ".join(module.source.segment(one) for one in shape.elts)
            return merged([rename_keyword(module, item, name), replace_node(module, shape, f"({size}, {inner})")])
    return None


def _keeps_state(made: Made) -> bool:
    given = made.given.get("stateful")
    is_set = isinstance(given, ast.Constant) and given.value is True
    return is_set and family_of(made.kind) is LayerFamily.RECURRENT


def _batch_sizes(module: SourceModule) -> Iterator[ast.expr]:
    for call in module.called("fit", "evaluate", "predict", "fit_generator"):
        given = keyword_of(call, "batch_size")
        if given is not None:
            yield given


def listed_inputs(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """One array that holds the inputs of a model one after the other is given as a list of them."""
    for module, node in _yielded(file):
        if "array(s)" in scene.text or "input(s)" in scene.text:
            return replace_node(module, node, f"list({module.source.segment(node)})")
    return None


def _yielded(file: CrashedFile) -> Iterator[tuple[SourceModule, ast.Name]]:
    """The inputs that the generator given to ``fit`` yields, where they are one name."""
    for module in file.modules:
        for call in module.called("fit_generator", "fit"):
            made = call.args[0] if call.args else None
            name = method_of(made) if isinstance(made, ast.Call) else ""
            functions = [one for one in module.nodes[ast.FunctionDef] if getattr(one, "name", "") == name]
            for node in (part for function in functions for part in walk(function)):
                value = node.value if isinstance(node, ast.Yield) else None
                if isinstance(value, ast.Tuple) and len(value.elts) > 1 and isinstance(value.elts[0], ast.Name):
                    yield module, value.elts[0]


def ending_of_file(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The name of a file with the ending that the message asks for, wherever the program writes the name."""
    said = _ENDING.search(scene.text)
    if said is None:
        return None
    name = said["path"].rsplit("/", 1)[-1].rstrip("'\".,")
    for module in file.modules:
        for node in module.nodes[ast.Constant]:
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and value and (name == value or value.endswith(f"/{name}")):
                stem = re.sub(r"(?:\.weights)?\.(?:h5|hdf5|keras|ckpt|weights|tf)$", "", value)
                return replace_node(module, node, f'"{stem}{said["ending"]}"')
    return None


def axis_of_steps(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A table of features in front of a recurrent layer that takes as many: each row is one step."""
    groups = match.groupdict()
    layers = [made for made in file.layers() if family_of(made.kind) in {LayerFamily.RECURRENT, LayerFamily.DENSE}]
    first = layers[0] if layers else None
    if first is None or family_of(first.kind) is not LayerFamily.RECURRENT:
        return None
    width = _declared_width(file, first)
    shape = re.findall(r"\(([\d?, None]+)\)", groups.get("array") or scene.text)
    sizes = [part.strip() for part in shape[-1].split(",")] if shape else []
    if (
        width is None
        or len(sizes) != 2
        or not sizes[-1].isdigit()
        or sizes[-1] == "1"
        or file.number(*width) not in (None, int(sizes[-1]))
    ):
        return None
    edits = [
        rewrite(module, call.args[0], f"{module.source.segment(call.args[0])}[:, None]")
        for module in file.modules
        for call in module.called("fit", "evaluate", "predict")
        if call.args and isinstance(call.args[0], ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    ]
    return merged(edits) if edits else None


def _declared_width(file: CrashedFile, made: Made) -> tuple[SourceModule, ast.expr] | None:
    """The features of a step as the layer declares them."""
    shape = made.given.get("input_shape")
    last = shape.elts[-1] if isinstance(shape, ast.Tuple) and shape.elts else keyword_of(made.call, "input_dim")
    return None if last is None else (made.module, last)


def channels_at_the_end(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The shape of an image that is written once, for the data and the model, with its one to four channels last."""
    for made in file.layers():
        shape = made.given.get("input_shape")
        if not isinstance(shape, ast.Name) or family_of(made.kind) is not LayerFamily.CONVOLUTION:
            continue
        end = file.steps_back(made.module, shape)[-1]
        used = [one for one in made.module.nodes[ast.Name] if isinstance(one, ast.Name) and one.id == shape.id]
        loaded = [one for one in used if isinstance(one.ctx, ast.Load)]
        if not isinstance(end.node, ast.Tuple) or end.wanted or len(loaded) < 2 or len(end.node.elts) < 3:
            continue
        sizes = [file.number(end.module, one) or 0 for one in end.node.elts]
        if 0 < sizes[0] <= 4 < min(sizes[1:]):
            parts = [end.module.source.segment(one) for one in (*end.node.elts[1:], end.node.elts[0])]
            return replace_node(end.module, end.node, f"({', '.join(parts)})")
    return None
