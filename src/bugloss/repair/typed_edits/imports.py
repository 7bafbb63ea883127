"""Names that the program uses and never imports: what they usually stand for, and where a library has them."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from bugloss.check.releases.catalogue import homes, releases
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.scene import Scene
from bugloss.repair.typed_edits.contract import TypedEdit
from bugloss.source.editing import insert_after
from bugloss.source.text.module import SourceModule

_SURE, _NEXT = 0.34, 0.9
_MOST = 3
_MISSING = re.compile(r"name '(?P<name>\w+)' is not defined")
# What the documentation of the libraries imports under these names.
_USUAL = {
    "np": "import numpy as np", "pd": "import pandas as pd", "plt": "import matplotlib.pyplot as plt",
    "tf": "import tensorflow as tf", "nn": "from torch import nn", "F": "import torch.nn.functional as F",
    "optim": "from torch import optim", "layers": "from keras import layers", "K": "from keras import backend as K",
}  # fmt: skip
_LIBRARIES = ("torch", "keras", "tensorflow", "numpy")


def import_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """The import behind the others of the file."""
    said = _MISSING.search(scene.text)
    if said is None:
        return
    name, module = said["name"], file.module
    found = [_USUAL[name]] if name in _USUAL else [f"import {name}"] if name in _modules() else _homes(module, name)
    imports = [one for one in module.tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
    for at, text in enumerate(found[:_MOST] if imports else ()):
        reason = f"{name} is used and never imported."
        yield TypedEdit(insert_after(module, imports[-1], text), FixPattern.API_CONTRACT, _SURE * _NEXT**at, reason)


def _modules() -> frozenset[str]:
    return sys.stdlib_module_names | set(_LIBRARIES)


def _homes(module: SourceModule, name: str) -> list[str]:
    """Where libraries that the file imports have the name, the shortest place first."""
    used = [library for library in _LIBRARIES if library in module.names.roots and releases(library)]
    places = [place for library in used for place in homes(library, name, releases(library)[-1])]
    owners = (place.rpartition(".")[0] for place in sorted(places, key=lambda one: (one.count("."), len(one))))
    return [f"from {owner} import {name}" for owner in dict.fromkeys(owners) if owner]
