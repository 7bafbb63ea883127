"""Saved weights that do not fit the model, and files that cannot be turned back into one."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.source.text.syntax import keyword_of

if TYPE_CHECKING:
    from bugloss.observe.crash.crashed_file import CrashedFile
    from bugloss.source.text.module import SourceModule

_SIZES = re.compile(
    r"size mismatch for (?P<name>[\w.]+): copying a param with shape (?P<saved>.+?) from checkpoint, the shape in "
    r"current model is (?P<here>.+?)\.?(?:\n|$)"
)
_KEYS = re.compile(r"(?P<which>Missing|Unexpected) key\(s\) in state_dict: (?P<names>.+?)(?:\. ?(?:\n|$)|$)", re.DOTALL)


def _state_dict(scene: Scene, match: re.Match[str]) -> CrashText:
    keys = {found["which"]: re.findall(r"\"([^\"]+)\"", found["names"]) for found in _KEYS.finditer(scene.text)}
    sizes = list(_SIZES.finditer(scene.text))
    evidence = [
        f"{which} in the file: {', '.join(names[:4])}{' …' if len(names) > 4 else ''}." for which, names in keys.items()
    ]
    evidence += [
        f"{found['name']} is {found['saved']} in the file and {found['here']} in the model." for found in sizes[:3]
    ]
    return CrashText(
        "The saved weights belong to another model.",
        _advice(keys, bool(sizes)),
        tuple(evidence),
    )


def _advice(keys: dict[str, list[str]], sizes: bool) -> str:
    unexpected, missing = keys.get("Unexpected", []), keys.get("Missing", [])
    if any(name.startswith("module.") for name in unexpected):
        return (
            "The file was saved from a DataParallel wrapper: save model.module.state_dict(), or strip the prefix, "
            "{name.removeprefix('module.'): value for name, value in state.items()}."
        )
    if any(name.startswith("module.") for name in missing):
        return (
            "The model is wrapped in DataParallel and the file is not: load into model.module, or load before wrapping."
        )
    if any(name.startswith("_orig_mod.") for name in unexpected):
        return (
            "The file was saved from a compiled model: save model._orig_mod.state_dict(), or strip the prefix "
            "'_orig_mod.'."
        )
    if {"state_dict", "model_state_dict", "optimizer", "epoch"} & set(unexpected):
        return (
            "The file is a whole checkpoint: load the entry with the weights, "
            "model.load_state_dict(checkpoint['state_dict'])."
        )
    if sizes and not unexpected:
        return (
            "Build the model with the sizes it was saved with (classes, width, vocabulary), or drop those weights "
            "before loading."
        )
    return (
        "Build the same model that was saved; strict=False loads only what fits and leaves the rest at its initial "
        "values."
    )


def deleting_saver(file: CrashedFile) -> tuple[SourceModule, ast.Call] | None:
    """The saver of a program that saves one checkpoint per step and deletes all but the last five."""
    saves = any(keyword_of(call, "global_step") for module in file.modules for call in module.called("save"))
    for module in file.modules if saves else ():
        for call in module.called("Saver"):
            if keyword_of(call, "max_to_keep") is None:
                return module, call
    return None


def _deletes_checkpoints(scene: Scene) -> bool:
    return scene.program is not None and deleting_saver(scene.program) is not None


PATTERNS = (
    Pattern(
        "checkpoint-deleted",
        CrashKind.CHECKPOINT,
        FixPattern.API_CONTRACT,
        ("is not a valid checkpoint",),
        r"not a valid checkpoint: (?P<path>\S+)",
        plain(
            "The checkpoint {path} does not exist any more: a Saver keeps its last five and deletes older ones.",
            "Pass max_to_keep=None to the Saver, or save the best state under a name of its own.",
        ),
        (
            Example(
                "The passed save_path is not a valid checkpoint: /tmp/a/model-3",
                ("max_to_keep",),
                "ValueError",
                program="saver = tf.train.Saver()\nsaver.save(session, path, global_step=step)\n",
            ),
        ),
        confidence=0.85,
        only_if=_deletes_checkpoints,
    ),
    Pattern(
        "checkpoint-mismatch",
        CrashKind.CHECKPOINT,
        FixPattern.NEURAL_CONNECTION,
        ("in loading state_dict",),
        r"in loading state_dict for (?P<model>\w+)",
        _state_dict,
        (
            Example(
                'Error(s) in loading state_dict for Net:\n\tMissing key(s) in state_dict: "fc.weight", "fc.bias". '
                "\n\tUnexpected key(s) in "
                'state_dict: "module.fc.weight", "module.fc.bias". ',
                ("DataParallel", "Missing in the file: fc.weight"),
            ),
            Example(
                "Error(s) in loading state_dict for Net:\n\tsize mismatch for fc.weight: copying a param with shape "
                "torch.Size([1000, 512]) from checkpoint, the shape in current model is torch.Size([10, 512]).",
                ("fc.weight is torch.Size([1000, 512]) in the file", "classes"),
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "unsafe-checkpoint-refused",
        CrashKind.VERSION,
        FixPattern.VERSIONING,
        ("Weights only load failed", "weights_only"),
        r"Weights only load failed|Unsupported global: GLOBAL (?P<name>[\w.]+)",
        plain(
            "Since PyTorch 2.6 torch.load loads only tensors by default, and this file contains other Python objects.",
            "Save and load weights alone, torch.save(model.state_dict(), path); for a file that you trust: "
            "torch.load(path, weights_only=False).",
        ),
        (
            Example(
                "Weights only load failed. This file can still be loaded, to do so you have two options. \n\t(1) In "
                "PyTorch 2.6, we changed the default value of the `weights_only` argument",
                ("weights_only=False",),
                "UnpicklingError",
            ),
        ),
        confidence=0.98,
    ),
    Pattern(
        "checkpoint-mismatch",
        CrashKind.CHECKPOINT,
        FixPattern.NEURAL_CONNECTION,
        (
            "load a weight file containing",
            "Layer count mismatch",
            "objects could not be loaded",
            "is not compatible with provided weight",
        ),
        r"weight file containing (?P<saved>\d+) layers into a model with (?P<model>\d+)|Model expected (?P<wanted>\d+) "
        r"layers, found "
        r"(?P<found>\d+)|objects could not be loaded|not compatible with provided weight shape",
        plain(
            "The saved weights belong to another model⟨: {saved} layers in the file, {model} in the model⟩⟨: {found} "
            "layers in the file, {wanted} in the model⟩.",
            "Build the model exactly as it was saved, and call it once (or build it) before loading; by_name=True "
            "loads what fits.",
        ),
        (
            Example(
                "You are trying to load a weight file containing 1 layers into a model with 2 layers.",
                ("1 layers in the file",),
                "ValueError",
            ),
            Example(
                "Layer count mismatch when loading weights from file. Model expected 2 layers, found 1 saved layers.",
                ("1 layers",),
                "ValueError",
            ),
            Example(
                "A total of 1 objects could not be loaded. Example error message for object <Dense name=dense_43>:",
                (),
                "ValueError",
            ),
            Example(
                "Layer sequential_39 weight shape (3, 2) is not compatible with provided weight shape (3, 3).",
                (),
                "ValueError",
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "checkpoint-mismatch",
        CrashKind.CHECKPOINT,
        FixPattern.NEURAL_CONNECTION,
        (
            "doesn't match the size of optimizer's group",
            "different number of parameter groups",
            "Cannot assign value to variable",
        ),
        r"optimizer's group|parameter groups|variable '? ?(?P<name>[\w/:]+)",
        plain(
            "The saved state was made for another set of parameters⟨ ({name})⟩.",
            "Build model and optimizer as they were when saving, with the same layers frozen, before loading their "
            "state.",
        ),
        (
            Example(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group",
                (),
                "ValueError",
            ),
            Example(
                "Cannot assign value to variable ' dense_42/kernel:0': Shape mismatch.The variable shape (3, 3), and "
                "the assigned value",
                ("dense_42/kernel",),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "unknown-saved-class",
        CrashKind.CHECKPOINT,
        FixPattern.API_CONTRACT,
        ("Unknown layer:", "Could not locate class", "Unknown optimizer: 'Custom", "Can't get attribute"),
        r"Unknown layer:? ?'?(?P<layer>\w+)|locate class '(?P<class>\w+)'|get attribute '(?P<attribute>\w+)' on "
        r"<module '(?P<module>\w+)'",
        plain(
            "The file contains a class that is not defined in this program: {layer}{class}{attribute}.",
            "Define or import the class before loading, pass custom_objects={{'{layer}{class}{attribute}': …}} to "
            "load_model, or save weights alone.",
        ),
        (
            Example(
                "Unknown layer: Attention. Please ensure this object is passed to the `custom_objects` argument.",
                ("Attention",),
                "ValueError",
            ),
            Example(
                "Could not locate class 'Attention'. Make sure custom classes are decorated",
                ("Attention",),
                "TypeError",
            ),
            Example("Can't get attribute 'Net' on <module '__main__' from 'serve.py'>", ("Net",), "AttributeError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "saved-format",
        CrashKind.VERSION,
        FixPattern.VERSIONING,
        (
            "File format not supported",
            "Invalid filepath extension for saving",
            "must end in `.weights.h5`",
            "must end in `.keras`",
        ),
        r"extension|format not supported|must end in",
        plain(
            "Keras 3 saves whole models as .keras, weights as .weights.h5, and no longer reads SavedModel folders as "
            "models.",
            "Use model.save('model.keras') and model.save_weights('model.weights.h5'); a SavedModel is read with "
            "keras.layers.TFSMLayer.",
        ),
        (
            Example(
                "File format not supported: filepath=/data/m. Keras 3 only supports V3 `.keras` files, legacy H5",
                (".keras",),
                "ValueError",
            ),
            Example("Invalid filepath extension for saving. Please add either a `.keras` extension", (), "ValueError"),
            Example(
                "When using `save_weights_only=True` in `ModelCheckpoint`, the filepath provided must end in "
                "`.weights.h5`",
                (),
                "ValueError",
            ),
        ),
        confidence=0.95,
    ),
)

FAMILY = CrashFamily("checkpoints", PATTERNS)
