"""Imports that fail: packages that are not installed, modules that moved, files that hide a package."""

from __future__ import annotations

import re

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.renamed import IMPORTED_NAMES, MODULES
from bugloss.observe.crash.scene import Scene

# What is imported under one name and installed under another.
_PACKAGES = {
    "cv2": "opencv-python", "sklearn": "scikit-learn", "PIL": "Pillow", "yaml": "PyYAML", "skimage": "scikit-image",
    "bs4": "beautifulsoup4", "dateutil": "python-dateutil", "pytorch_lightning": "pytorch-lightning",
    "tensorflow_addons": "tensorflow-addons", "tensorflow_datasets": "tensorflow-datasets", "tf_slim": "tf-slim",
    "tensorflow_hub": "tensorflow-hub", "torch_geometric": "torch-geometric", "hydra": "hydra-core", "attr": "attrs",
    "umap": "umap-learn", "faiss": "faiss-cpu", "absl": "absl-py", "dotenv": "python-dotenv", "Crypto": "pycryptodome",
}  # fmt: skip


def _module(scene: Scene, match: re.Match[str]) -> CrashText:
    module = match["module"]
    top = module.split(".")[0]
    moved = MODULES.get(module)
    if moved:
        return CrashText(
            f"{module} is not in the installed release; it moved or was removed.",
            f"Import from {moved} instead.",
            fix_pattern=FixPattern.VERSIONING,
            confidence=0.97,
        )
    if "." in module:
        return CrashText(
            f"{top} has no module {module} in the installed release.",
            f"Check the release of {top} that the program was written for; if a file of yours is called {top}.py, "
            "rename it.",
            fix_pattern=FixPattern.VERSIONING,
            confidence=0.8,
        )
    package = _PACKAGES.get(module, module)
    return CrashText(
        f"The package {package} is not installed in the interpreter that ran the program.",
        f"Install it there: python -m pip install {package}. If it is a file of yours, run the program from its "
        "folder.",
        confidence=0.95,
    )


def _name(scene: Scene, match: re.Match[str]) -> CrashText:
    name, module = match["name"], match["module"] or ""
    if name in IMPORTED_NAMES:
        return CrashText(
            f"{module or 'The module'} no longer has {name}.",
            f"Use {IMPORTED_NAMES[name]}.",
            fix_pattern=FixPattern.VERSIONING,
            confidence=0.95,
        )
    return CrashText(
        f"{module or 'The module'} has no {name} in the installed release.",
        "Check the spelling, and which release the program was written for.",
        fix_pattern=FixPattern.VERSIONING,
        confidence=0.8,
    )


PATTERNS = (
    Pattern(
        "shadowed-package",
        CrashKind.IMPORT,
        FixPattern.ENVIRONMENT,
        ("most likely due to a circular import", "is not a package", "consider renaming"),
        r"(?:from partially initialized module|No module named) '(?P<module>[\w.]+)'|consider renaming '"
        r"(?P<file>[^']+)'",
        plain(
            "Modules import each other in a circle⟨ ({module})⟩: often a file of yours has the name of a package and "
            "shadows it.",
            "Rename a file such as torch.py, keras.py, random.py or numpy.py in your folder (and delete its "
            "__pycache__), or remove the circular import.",
        ),
        (
            Example(
                "cannot import name 'nn' from partially initialized module 'torch' (most likely due to a circular "
                "import) (/home/u/torch.py)",
                ("torch",),
                "ImportError",
            ),
            Example("No module named 'keras.models'; 'keras' is not a package", ("keras",), "ModuleNotFoundError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "missing-module",
        CrashKind.IMPORT,
        FixPattern.ENVIRONMENT,
        ("No module named",),
        r"No module named '?(?P<module>[\w.]+)'?",
        _module,
        (
            Example("No module named 'cv2'", ("opencv-python",), "ModuleNotFoundError"),
            Example("No module named 'keras.layers.core'", ("keras.layers instead",), "ModuleNotFoundError"),
            Example("No module named torchvision", ("torchvision",), "ImportError"),
            Example("No module named 'torch.nn.foo'", ("release of torch",), "ModuleNotFoundError"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "missing-name",
        CrashKind.IMPORT,
        FixPattern.VERSIONING,
        ("cannot import name",),
        r"cannot import name '?(?P<name>\w+)'?(?: from '(?P<module>[\w.]+)')?",
        _name,
        (
            Example(
                "cannot import name 'multi_gpu_model' from 'keras.utils' (/x/keras/utils/__init__.py)",
                ("MirroredStrategy",),
                "ImportError",
            ),
            Example(
                "cannot import name 'Iterable' from 'collections' (/usr/lib/python3.10/collections/__init__.py)",
                ("collections.abc",),
                "ImportError",
            ),
            Example(
                "cannot import name 'Linaer' from 'torch.nn' (/x/torch/nn/__init__.py)", ("spelling",), "ImportError"
            ),
        ),
    ),
    Pattern(
        "broken-library",
        CrashKind.IMPORT,
        FixPattern.ENVIRONMENT,
        ("cannot open shared object file", "undefined symbol", "DLL load failed", "' not found (required by"),
        r"(?P<library>lib[\w.+-]+|\w+\.dll)?.*(?:cannot open shared object|undefined symbol|DLL load failed|required "
        r"by)",
        plain(
            "A compiled package does not find a matching system library⟨ ({library})⟩.",
            "Reinstall the packages together so that their builds match (CUDA release, C++ library), in a fresh "
            "environment.",
        ),
        (
            Example(
                "libcudart.so.10.0: cannot open shared object file: No such file or directory",
                ("libcudart.so.10.0",),
                "ImportError",
            ),
            Example("DLL load failed: The specified module could not be found.", (), "ImportError"),
            Example("/x/torchvision/_C.so: undefined symbol: _ZN3c10", (), "OSError"),
        ),
        confidence=0.9,
    ),
)

FAMILY = CrashFamily("imports", PATTERNS)
