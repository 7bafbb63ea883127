"""Names that the installed release does not have, or no longer has."""

from __future__ import annotations

import re

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.renamed import HISTORY_KEYS, MODULE_ATTRIBUTES, OBJECT_ATTRIBUTES
from bugloss.observe.crash.scene import Scene

_INTERNAL = re.compile(
    r"^(?:keras\.api\._v2\.keras|keras\.api|keras\.src|tensorflow\.keras|tensorflow\.python\.keras)\b"
)


def _module(scene: Scene, match: re.Match[str]) -> CrashText:
    module, name = _INTERNAL.sub("keras", match["module"]), match["name"]
    now = MODULE_ATTRIBUTES.get(f"{module}.{name}") or MODULE_ATTRIBUTES.get(f"{module.split('.')[0]}.{name}")
    if now:
        return CrashText(
            f"{module}.{name} is not in the installed release; it was removed or renamed.",
            f"Write instead: {now}.",
            (f"The installed {module.split('.')[0]} has no {name}.",),
            confidence=0.97,
        )
    return CrashText(
        f"The installed release of {module.split('.')[0]} has no {module}.{name}.",
        f"Check the spelling, and in which release {name} exists: bugloss check names removed and misspelt APIs.",
        (f"{module} has no attribute {name}.",),
    )


def _attribute(scene: Scene, match: re.Match[str]) -> CrashText:
    owner, name = match["owner"], match["name"]
    return CrashText(
        f"{owner} objects of the installed release have no {name}; it was removed or renamed.",
        f"Write instead: {OBJECT_ATTRIBUTES[name]}.",
        (f"The installed {owner} has no {name}.",),
    )


def _history_for_model(scene: Scene, match: re.Match[str]) -> CrashText:
    name, program = match["name"], scene.program
    fits = [call.lineno for call in program.calling("fit")] if program and scene.place else []
    path = scene.place.path if scene.place else ""
    return CrashText(
        f"fit() returns a History, not the model, but .{name} is called on it.",
        f"Keep the model: model.fit(…) on a line of its own, then model.{name}(…).",
        locations=tuple(Location(path, line, 0.7, None, "the result of fit() is assigned here") for line in fits[:2]),
    )


def _history(scene: Scene, match: re.Match[str]) -> CrashText:
    key = match["key"]
    return CrashText(
        f"The history has no key '{key}': releases since Keras 2.3 call it '{HISTORY_KEYS[key]}'.",
        f"Read history.history['{HISTORY_KEYS[key]}'], and use the same name in callbacks "
        f"(monitor='{HISTORY_KEYS[key]}').",
    )


PATTERNS = (
    Pattern(
        "removed-api",
        CrashKind.VERSION,
        FixPattern.VERSIONING,
        ("module '",),
        r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>[^\W_]\w*)'",
        _module,
        (
            Example("module 'tensorflow' has no attribute 'Session'", ("tf.compat.v1.Session",), "AttributeError"),
            Example(
                "module 'keras.api._v2.keras.utils' has no attribute 'np_utils'", ("to_categorical",), "AttributeError"
            ),
            Example(
                "module 'numpy' has no attribute 'float'.\n`np.float` was a deprecated alias",
                ("np.float64",),
                "AttributeError",
            ),
            Example("module 'torch.nn' has no attribute 'Linaer'", ("spelling",), "AttributeError"),
        ),
        confidence=0.85,
    ),
    Pattern(
        "mixed-releases",
        CrashKind.VERSION,
        FixPattern.ENVIRONMENT,
        ("has no attribute '_",),
        r"(?:module '(?P<module>[\w.]+)'|'(?P<owner>\w+)' object) has no attribute '(?P<name>_(?!_)\w+)'",
        plain(
            "A package uses an internal attribute of another package, {name}, which the installed release does not "
            "have.",
            "Install compatible releases (keras with its TensorFlow), import layers and callbacks from one "
            "of keras "
            "and tf.keras only, and restart the notebook after an upgrade.",
        ),
        (
            Example(
                "module 'tensorflow.python.framework.ops' has no attribute '_TensorLike'",
                ("_TensorLike",),
                "AttributeError",
            ),
            Example("'Model' object has no attribute '_is_compiled'", ("tf.keras",), "AttributeError"),
        ),
        confidence=0.8,
    ),
    Pattern(
        "removed-api",
        CrashKind.VERSION,
        FixPattern.VERSIONING,
        ("'module' object has no attribute",),
        r"'module' object has no attribute '(?P<name>\w+)'",
        plain(
            "A module has no {name} in the installed release.",
            "Look up in which release it exists or what it was renamed to; a file of yours with the name of the "
            "module shadows it.",
        ),
        (Example("'module' object has no attribute 'python'", ("python",), "AttributeError"),),
        confidence=0.75,
    ),
    Pattern(
        "result-of-fit-used-as-model",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("'History' object has no attribute",),
        r"'History' object has no attribute '(?P<name>\w+)'",
        _history_for_model,
        (Example("'History' object has no attribute 'predict'", ("model.predict",), "AttributeError"),),
        confidence=0.98,
    ),
    Pattern(
        "removed-api",
        CrashKind.VERSION,
        FixPattern.VERSIONING,
        tuple(f"no attribute '{name}'" for name in OBJECT_ATTRIBUTES),
        r"'(?P<owner>\w+)' object has no attribute '(?P<name>" + "|".join(OBJECT_ATTRIBUTES) + r")'",
        _attribute,
        (
            Example("'Functional' object has no attribute 'fit_generator'", ("model.fit(generator",), "AttributeError"),
            Example("'Sequential' object has no attribute 'predict_classes'", ("argmax",), "AttributeError"),
            Example("'str' object has no attribute 'decode'", ("h5py<3",), "AttributeError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "renamed-history-key",
        CrashKind.VERSION,
        FixPattern.VERSIONING,
        tuple(f"'{key}'" for key in HISTORY_KEYS),
        r"^'(?P<key>" + "|".join(HISTORY_KEYS) + r")'$",
        _history,
        (Example("'acc'", ("'accuracy'",), "KeyError"), Example("'val_acc'", ("'val_accuracy'",), "KeyError")),
        confidence=0.95,
        exceptions=("KeyError",),
    ),
    Pattern(
        "removed-api",
        CrashKind.VERSION,
        FixPattern.VERSIONING,
        (
            "deprecated since version",
            "is now removed",
            "Legacy autograd function",
            "has been removed",
            "no longer supported",
        ),
        r"(?P<what>.+?)(?:\n|$)",
        plain(
            "The program uses a feature that was removed in the installed release.",
            "Use the replacement that the message names, or install the release that the program was written for.",
        ),
        (
            Example(
                "This function was deprecated since version 1.9 and is now removed. The default behavior has changed"
            ),
            Example(
                "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
                "function"
            ),
        ),
        confidence=0.75,
    ),
    Pattern(
        "binary-mismatch",
        CrashKind.VERSION,
        FixPattern.ENVIRONMENT,
        (
            "numpy.core.multiarray failed to import",
            "cannot be run in\nNumPy 2",
            "cannot be run in NumPy 2",
            "numpy.dtype size changed",
            "Numpy is not available",
            "_ARRAY_API not found",
        ),
        r"multiarray|NumPy 2|dtype size changed|Numpy is not available|_ARRAY_API",
        plain(
            "A compiled package was built for another release of NumPy.",
            "Install compatible releases: pip install 'numpy<2' for older packages, or newer packages for NumPy 2.",
        ),
        (
            Example("numpy.core.multiarray failed to import", ("numpy<2",), "ImportError"),
            Example(
                "numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88",
                (),
                "ValueError",
            ),
            Example("Numpy is not available"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "binary-mismatch",
        CrashKind.VERSION,
        FixPattern.ENVIRONMENT,
        ("Descriptors cannot be create", "TypeError: Descriptors"),
        r"Descriptors cannot be create",
        plain(
            "The installed protobuf is too new for this release of the framework.",
            "pip install 'protobuf<3.21', or a newer release of the framework.",
        ),
        (
            Example(
                "Descriptors cannot be created directly.\nIf this call came from a _pb2.py file",
                ("protobuf<3.21",),
                "TypeError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "tensorflow-function-on-keras-tensor",
        CrashKind.VERSION,
        FixPattern.VERSIONING,
        (
            "KerasTensor cannot be used as input to a TensorFlow function",
            "do not implement `__len__`",
            "Keras symbolic inputs/outputs do not",
        ),
        r"KerasTensor|Keras symbolic",
        plain(
            "A TensorFlow function is called on a symbolic tensor of a Keras model.",
            "Use the same function of keras.ops, or wrap the call in a Layer (call method) or a layers.Lambda.",
        ),
        (
            Example(
                "A KerasTensor cannot be used as input to a TensorFlow function. A KerasTensor is a symbolic "
                "placeholder",
                (),
                "ValueError",
            ),
            Example(
                "Keras symbolic inputs/outputs do not implement `__len__`. You may be trying to pass Keras symbolic",
                (),
                "TypeError",
            ),
        ),
        confidence=0.95,
    ),
)

FAMILY = CrashFamily("versions", PATTERNS)
