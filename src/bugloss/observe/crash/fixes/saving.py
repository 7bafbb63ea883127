"""Saved states that do not fit: which object was saved, which part of it belongs to the model."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.observe.crash.crashed_file import CrashedFile, Made
from bugloss.observe.crash.fixes.rewriting import after, operand_text, rewrite
from bugloss.observe.crash.fixes.sizes import resize
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape
from bugloss.source.origins.arguments import passed, positions_of
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, receiver_of, walk

KEYS = re.compile(r"(?P<which>Missing|Unexpected) key\(s\) in state_dict: (?P<names>.+?)(?:\. ?(?:\n|$)|$)", re.DOTALL)
SIZES = re.compile(
    r"size mismatch for (?P<name>[\w.]+): copying a param with shape (?P<saved>.+?) from checkpoint, the shape in "
    r"current model is (?P<here>.+?)\.?(?:\n|$)"
)
_ENDINGS = (".keras", ".h5", ".weights.h5")
_WIDTHS = {"Linear": ("out_features", "in_features"), "Conv2d": ("out_channels", "in_channels"),
           "Embedding": ("num_embeddings", "embedding_dim")}  # fmt: skip


def state_keys(text: str) -> dict[str, list[str]]:
    """The keys that a message of ``load_state_dict`` misses and does not expect."""
    return {found["which"]: re.findall(r"\"([^\"]+)\"", found["names"]) for found in KEYS.finditer(text)}


def prefix_of(longer: list[str], shorter: list[str]) -> str:
    """What stands before every key of one state and is missing in the other: ``module.``; empty where nothing is."""
    first = longer[0] if longer else ""
    for at in (found.end() for found in re.finditer(r"\.", first)):
        if {key.removeprefix(first[:at]) for key in longer} == set(shorter):
            return first[:at]
    return ""


def fitting_state(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Saves or loads the part of an object that the other side has."""
    keys = state_keys(scene.text)
    unexpected, missing = keys.get("Unexpected", []), keys.get("Missing", [])
    saved_in = prefix_of(unexpected, missing).rstrip(".")
    if saved_in:
        return _saved_part(file, saved_in)
    loads_in = prefix_of(missing, unexpected).rstrip(".")
    load = _loading(scene, file)
    if loads_in and load is not None:
        receiver = receiver_of(load)
        return after(file.module, receiver, f".{loads_in}") if receiver is not None else None
    if missing and unexpected and load is not None and load.args:
        return _weights_of(file, load.args[0], unexpected)
    return _saved_width(scene, file) if not unexpected and not missing else None


def _loading(scene: Scene, file: CrashedFile) -> ast.Call | None:
    calls = file.module.calls_on(scene.place.line) if scene.place else []
    return next((call for call in calls if method_of(call) == "load_state_dict"), None)


def _saves(file: CrashedFile) -> Iterator[tuple[SourceModule, ast.Call]]:
    for module in file.modules:
        for call in module.called("save"):
            if (module.names.qualified(call.func) or "") == "torch.save" and call.args:
                yield module, call


def _saved_part(file: CrashedFile, part: str) -> Edit | None:
    """``torch.save(wrapped.state_dict())`` becomes ``torch.save(wrapped.module.state_dict())``."""
    for module, save in _saves(file):
        for node in walk(save.args[0]):
            receiver = receiver_of(node) if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and method_of(node) == "state_dict" and receiver is not None:
                text = f"{operand_text(module, receiver)}.{part}.state_dict()"
                return rewrite(module, node, text)
    return None


def _weights_of(file: CrashedFile, given: ast.expr, keys: list[str]) -> Edit | None:
    """A whole checkpoint: the entry that was saved from a model's state, by the line that saved it or by its name."""
    saved = [
        key.value
        for _, save in _saves(file)
        for node in walk(save.args[0])
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
        if isinstance(value, ast.Call) and method_of(value) == "state_dict"
    ]
    named = [key for key in keys if re.search(r"model|net|state_dict|weights", key) and "optim" not in key]
    chosen = [key for key in saved if key in named] or [key for key in saved if "optim" not in str(key)] or named
    return after(file.module, given, f'["{chosen[0]}"]') if chosen else None


def _saved_width(scene: Scene, file: CrashedFile) -> Edit | None:
    """The layer whose size differs is made as it was saved."""
    for found in SIZES.finditer(scene.text):
        name, saved, here = found["name"], read_shape(found["saved"]), read_shape(found["here"])
        for made in file.layers():
            if made.name.removeprefix("self.") != name.rsplit(".", 1)[0] or made.kind not in _WIDTHS or len(saved) < 2:
                continue
            for argument, old, new in zip(_WIDTHS[made.kind], here, saved, strict=False):
                if old != new and new is not None:
                    return _passed_width(scene, file, made, argument, new) or resize(file, made, argument, new)
    return None


def _passed_width(scene: Scene, file: CrashedFile, made: Made, argument: str, size: int) -> Edit | None:
    """The number that the loading model was made with, where a parameter of its constructor gives the size."""
    load, given = _loading(scene, file), made.given.get(argument)
    receiver = receiver_of(load) if load is not None else None
    function = made.module.enclosing(made.call, ast.FunctionDef)
    if receiver is None or not isinstance(given, ast.Name) or not isinstance(function, ast.FunctionDef):
        return None
    end = file.steps_back(file.module, receiver)[-1]
    if not isinstance(end.node, ast.Call) or end.wanted:
        return None
    value = passed(end.node, positions_of(made.module, function), given.id)
    is_number = value is not None and isinstance(value[0], ast.Constant) and not value[1]
    return rewrite(end.module, value[0], str(size)) if value is not None and is_number else None


def file_ending(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The name of a file in the format that Keras 3 writes."""
    statement = file.module.statement(scene.place.line) if scene.place else None
    nodes = walk(statement) if statement is not None else []
    wanted = ".weights.h5" if "weights.h5" in scene.text else ".keras"
    for node in nodes:
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if (
            isinstance(node, ast.Constant)
            and is_text
            and not str(node.value).endswith(_ENDINGS)
            and str(node.value).strip()
        ):
            stem = re.sub(r"\.(?:\w{1,5})$", "", str(node.value))
            return rewrite(file.module, node, f'"{stem}{wanted}"')
    return None
