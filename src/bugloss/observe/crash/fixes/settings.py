"""One argument that is missing in a call: of a loader, of ``torch.load``, of a device."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import operand_text, pass_argument, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of, receiver_of, walk, written

_AVAILABLE = '"cuda" if torch.cuda.is_available() else "cpu"'


def dropped_rest(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A last batch of one sample is left out."""
    for module in file.modules:
        for call in module.called("DataLoader"):
            size = keyword_of(call, "batch_size") or (call.args[1] if len(call.args) > 1 else None)
            if keyword_of(call, "drop_last") is None and size is not None and file.number(module, size) != 1:
                return pass_argument(module, call, "drop_last", "True")
    return None


def mapped(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A checkpoint of another device is read into the processor's memory."""
    return _of_load(scene, file, "map_location", '"cpu"')


def trusted(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A file of the program's own may hold whole objects."""
    return _of_load(scene, file, "weights_only", "False")


def _of_load(scene: Scene, file: CrashedFile, name: str, value: str) -> Edit | None:
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        if (file.module.names.qualified(call.func) or "") == "torch.load":
            return pass_argument(file.module, call, name, value)
    return None


def device(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A device that is chosen at run time."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        receiver = receiver_of(call)
        if method_of(call) == "cuda" and receiver is not None and not call.args:
            return rewrite(module, call, f"{operand_text(module, receiver)}.to({_AVAILABLE})")
        for given in (*call.args, *(item.value for item in call.keywords)):
            literal = _cuda_literal(file, module, given)
            if literal is not None:
                return rewrite(*literal, _AVAILABLE)
    return None


def _cuda_literal(file: CrashedFile, module: SourceModule, given: ast.expr) -> tuple[SourceModule, ast.expr] | None:
    """Where a device that is not there is written."""
    end = file.steps_back(module, given)[-1]
    for node in walk(end.node) if isinstance(end.node, ast.expr) and not end.wanted else ():
        if isinstance(node, ast.Constant) and str(node.value).startswith("cuda"):
            return end.module, node
    return None


def collated_like_the_others(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A loader that puts samples together otherwise than the other loaders of the program do."""
    loaders = [(module, call) for module in file.modules for call in module.called("DataLoader")]
    given = {written(found) for _, call in loaders if (found := keyword_of(call, "collate_fn")) is not None}
    without = [(module, call) for module, call in loaders if keyword_of(call, "collate_fn") is None]
    if len(given) != 1 or len(without) != 1:
        return None
    return pass_argument(*without[0], "collate_fn", next(iter(given)))


def padded_batch(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Samples that are one tensor each, of different lengths, are padded when they are put together."""
    first = (match.groupdict().get("first") or "").strip("[]")
    item = sample_return(file)
    if not first or item is None or isinstance(item[1].value, ast.Tuple | ast.Dict | ast.List):
        return None
    for module in file.modules:
        for call in module.called("DataLoader"):
            if keyword_of(call, "collate_fn") is None and "torch" in module.names.imported:
                padding = "lambda batch: torch.nn.utils.rnn.pad_sequence(batch, batch_first=True)"
                return pass_argument(module, call, "collate_fn", padding)
    return None


def sample_return(file: CrashedFile) -> tuple[SourceModule, ast.Return] | None:
    """The line of the only data set that returns a sample."""
    found = [
        (module, returned)
        for module in file.modules
        for function in module.nodes[ast.FunctionDef]
        if isinstance(function, ast.FunctionDef) and function.name == "__getitem__"
        for returned in walk(function)
        if isinstance(returned, ast.Return) and returned.value is not None
    ]
    return found[-1] if len({id(module.enclosing(node, ast.ClassDef)) for module, node in found}) == 1 else None


def batch_in_front(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A transformer or an attention that takes the batch as its first axis."""
    for module in file.modules:
        for call in module.called(
            "TransformerEncoderLayer", "TransformerDecoderLayer", "MultiheadAttention", "Transformer"
        ):
            if keyword_of(call, "batch_first") is None and "torch" in module.names.roots:
                return pass_argument(module, call, "batch_first", "True")
    return None
