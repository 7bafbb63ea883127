"""Edit actions worked out for one report, from the facts that it states; nothing where they do not suffice.

These are first drafts for a person to look at: nothing of them is run here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from bugloss.core.obsolete_keywords import OBSOLETE_KEYWORDS
from bugloss.core.python_text import parse_python
from bugloss.core.report import BlockKind, Fact, FactKind, Reading
from bugloss.core.reproduction import ProgramEdit
from bugloss.core.taxonomy import EditAction
from bugloss.triage.information import TRAINING_SETTINGS

if TYPE_CHECKING:
    from bugloss.source.text.module import SourceModule

_MOST_LINES = 400
Write = Callable[..., ProgramEdit]  # makes an edit of the action that is worked out


def work_out(action: EditAction, reading: Reading, framework: str) -> ProgramEdit:
    """The edit that the report's facts allow."""
    return _EDITS[action](partial(ProgramEdit, action, needed=True), reading, framework)


def code_of(reading: Reading) -> str:
    """All code of a report in one text, shell commands left out."""
    return "\n".join(block.text for block in reading.of_kind(BlockKind.CODE) if block.language != "shell")


def _data(edit: Write, reading: Reading, framework: str) -> ProgramEdit:
    code = code_of(reading)
    if re.search(r"\b(?:np|numpy|torch|tf)\.(?:random\.)?(?:rand\w*|normal|uniform|zeros|ones)\(|make_\w+\(", code):
        return edit(needed=False, why="the code generates its own data")
    shapes = {fact.name or "x": fact for fact in reversed(list(reading.about(FactKind.SHAPE))) if _usable(fact)}
    if not shapes:
        return edit(why="no shape is stated: use that of the first layer")
    lines = [_array(name, fact.value, framework) for name, fact in list(shapes.items())[:3]]
    stated = ", ".join(f"{name} {fact.value}" for name, fact in list(shapes.items())[:3])
    return edit(code="\n".join(lines), why=f"stated: {stated}")


def _usable(fact: Fact) -> bool:
    numbers = [int(number) for number in re.findall(r"\d+", fact.value)]
    return bool(numbers) and max(numbers) <= 10_000_000 and fact.value.count(",") > 0


def _array(name: str, shape: str, framework: str) -> str:
    variable = re.sub(r"\W", "_", name).strip("_") or "x"
    variable = "x" if variable in {"input_shape", "batch_input_shape", "shape"} else variable
    sizes = ["8" if size.strip() == "None" else size.strip() for size in shape.strip("()").split(",") if size.strip()]
    if name in {"input_shape"}:
        sizes = ["8", *sizes]
    labels = re.match(r"y|label|target", variable, re.IGNORECASE)
    many = ", ".join(sizes)
    one = f"{sizes[0]}," if len(sizes) == 1 else many
    if framework == "torch":
        return f"{variable} = torch.randint(0, 2, ({one}))" if labels else f"{variable} = torch.randn({many})"
    call = f"np.random.randint(0, 2, ({one}))" if labels else f'np.random.rand({many}).astype("float32")'
    return f"{variable} = {call}"


def _network(edit: Write, reading: Reading, framework: str) -> ProgramEdit:
    code = code_of(reading)
    if re.search(r"Sequential\(|nn\.Module|Model\(|\.add\(", code):
        return edit(needed=False, why="the code builds its network")
    named = next((fact.value for fact in reading.about(FactKind.ARCHITECTURE)), "")
    layers = list(dict.fromkeys(fact.value for fact in reading.about(FactKind.LAYER)))
    if layers:
        return edit(why=f"layers that the report names: {', '.join(layers[:6])}")
    return edit(why=f"the report names a {named}" if named else "the report does not show its network")


def _settings(edit: Write, reading: Reading, framework: str) -> ProgramEdit:
    undefined = _undefined(code_of(reading)) & _USUAL_SETTINGS.keys()
    stated = {fact.name: fact.value for fact in reading.about(FactKind.HYPERPARAMETER)}
    lines = [f"{name} = {stated.get(_SAME.get(name, name), _USUAL_SETTINGS[name])}" for name in sorted(undefined)]
    if lines:
        return edit(code="\n".join(lines), why=f"used and never set: {', '.join(sorted(undefined))}")
    known = bool(stated.keys() & TRAINING_SETTINGS)
    return edit(needed=not known, why="the report states them" if known else "")


_USUAL_SETTINGS = {
    "batch_size": "32", "BATCH_SIZE": "32", "epochs": "3", "EPOCHS": "3", "num_epochs": "3", "n_epochs": "3",
    "nb_epoch": "3", "lr": "1e-3", "learning_rate": "1e-3", "LEARNING_RATE": "1e-3", "num_classes": "10",
    "nb_classes": "10", "n_classes": "10", "hidden_size": "64", "hidden_dim": "64", "input_size": "16",
    "input_dim": "16",
    "embedding_dim": "32", "vocab_size": "1000", "max_len": "20", "maxlen": "20", "timesteps": "10", "latent_dim": "8",
}  # fmt: skip
_SAME = {
    "BATCH_SIZE": "batch_size",
    "EPOCHS": "epochs",
    "num_epochs": "epochs",
    "n_epochs": "epochs",
    "nb_epoch": "epochs",
}
_SAME |= {
    "lr": "learning_rate",
    "LEARNING_RATE": "learning_rate",
    "nb_classes": "num_classes",
    "n_classes": "num_classes",
}


def _imports(edit: Write, reading: Reading, framework: str) -> ProgramEdit:
    code = code_of(reading)
    if not code.strip():
        return edit(why="the report contains no code")
    undefined = _undefined(code)
    home = "tensorflow.keras" if re.search(r"tensorflow|\btf\.", reading.report.text) else "keras"
    lines = [_IMPORTS[name] for name in sorted(undefined & _IMPORTS.keys())]
    layers = sorted(undefined & _KERAS_LAYERS) if framework != "torch" else []
    if layers:
        lines.append(f"from {home}.layers import {', '.join(layers)}")
    lines += [f"from {home}.models import {name}" for name in ("Model", "Sequential") if name in undefined]
    if not lines:
        return edit(needed=False, why="all names that the code uses are imported")
    return edit(code="\n".join(dict.fromkeys(lines)), why="names that the code uses but does not import")


_IMPORTS = {
    "np": "import numpy as np", "numpy": "import numpy", "pd": "import pandas as pd", "plt": "import matplotlib.pyplot "
    "as plt",
    "tf": "import tensorflow as tf", "torch": "import torch", "nn": "from torch import nn", "keras": "import keras",
    "F": "import torch.nn.functional as F", "optim": "from torch import optim", "os": "import os", "random": "import "
    "random",
    "torchvision": "import torchvision", "transforms": "from torchvision import transforms", "math": "import math",
    "DataLoader": "from torch.utils.data import DataLoader", "Dataset": "from torch.utils.data import Dataset",
    "K": "from keras import backend as K", "cv2": "import cv2", "time": "import time", "mx": "import mxnet as mx",
    "train_test_split": "from sklearn.model_selection import train_test_split", "Variable": "from torch.autograd "
    "import Variable",
    "StandardScaler": "from sklearn.preprocessing import StandardScaler", "to_categorical": "from keras.utils import "
    "to_categorical",
    "ImageDataGenerator": "from tensorflow.keras.preprocessing.image import ImageDataGenerator",
    "Adam": "from keras.optimizers import Adam", "SGD": "from keras.optimizers import SGD", "nd": "from mxnet import "
    "nd",
}  # fmt: skip
_KERAS_LAYERS = frozenset(
    [
        "Dense",
        "Dropout",
        "Flatten",
        "Conv1D",
        "Conv2D",
        "Conv3D",
        "MaxPooling1D",
        "MaxPooling2D",
        "LSTM",
        "GRU",
        "SimpleRNN",
        "Embedding",
        "Bidirectional",
        "Input",
        "BatchNormalization",
        "Activation",
        "TimeDistributed",
        "RepeatVector",
        "Reshape",
        "Concatenate",
        "Lambda",
        "GlobalAveragePooling2D",
        "Add",
        "Conv2DTranspose",
        "UpSampling2D",
        "LeakyReLU",
        "LayerNormalization",
        "MultiHeadAttention",
        "Masking",
    ]
)


def _undefined(code: str) -> set[str]:
    """Names that code reads and never sets."""
    from bugloss.source.text.undefined import undefined_names

    return undefined_names(_read(code))


def _read(code: str) -> SourceModule:
    """The code as far as it can be read."""
    from bugloss.source.text.module import SourceModule
    from bugloss.source.text.recovery import read_tolerantly

    return SourceModule(read_tolerantly("\n".join(code.split("\n")[:_MOST_LINES]), "report"))


def _logging(edit: Write, reading: Reading, framework: str) -> ProgramEdit:
    names = list(
        dict.fromkeys(fact.name for fact in reading.about(FactKind.SHAPE) if re.fullmatch(r"[A-Za-z_]\w*", fact.name))
    )
    names = [name for name in names if name not in {"input_shape", "shape", "batch_input_shape"}]
    if names:
        return edit(
            code="\n".join(f'print("{name}", {name}.shape, {name}.dtype)' for name in names[:3]),
            why="named in the report",
        )
    return edit(why="")


def _obsolete(edit: Write, reading: Reading, framework: str) -> ProgramEdit:
    module = _read(code_of(reading))
    if module.nodes[ast.Call]:
        given = {item.arg for item in module.nodes[ast.keyword] if isinstance(item, ast.keyword)}
    else:  # flat text, or code outside of blocks
        given = {old for old in _OBSOLETE if re.search(rf"\b{old}\s*=", reading.report.body)}
    found = [(old, new) for old, new in _OBSOLETE.items() if old in given]
    if not found:
        return edit(needed=False, why="no obsolete argument is known")
    return edit(
        code="\n".join(f"{old}=… → {new}" for old, new in found), why="arguments that newer releases do not accept"
    )


_OBSOLETE = {old: f"{new}=…" for old, new in OBSOLETE_KEYWORDS.items()} | {"volatile": "with torch.no_grad()"}


def _broken_code(edit: Write, reading: Reading, framework: str) -> ProgramEdit:
    code = code_of(reading)
    if not code.strip():
        return edit(needed=False, why="the report contains no code")
    faults = [name for name, pattern in _FAULTS.items() if re.search(pattern, code, re.MULTILINE)]
    try:
        parse_python(code)
    except SyntaxError as error:
        faults.append(f"line {error.lineno} of the code: {error.msg}")
    except (ValueError, RecursionError, MemoryError):
        faults.append("the code cannot be parsed")
    return edit(needed=bool(faults), why="; ".join(faults) or "the code parses")


_FAULTS = {
    "notebook magics": r"^[^\S\n]*+[%!]\w",
    "Python 2 prints": r"^[^\S\n]*+print\s++[\"'\w]",
    "omissions": r"^[^\S\n]*+(?:\.\.\.|…|\[\.\.\.\])",
    "backend and lines of other files": r"^-+>",
}


def _dataset(edit: Write, reading: Reading, framework: str) -> ProgramEdit:
    named = [fact.value for fact in reading.about(FactKind.DATASET)]
    if not named:
        return edit(needed=False, why="no public data set is named")
    loaders = _TORCH_LOADERS if framework == "torch" else _KERAS_LOADERS
    lines = [loaders[name] for name in named if name in loaders]
    return edit(code="\n".join(dict.fromkeys(lines)), why=f"named: {', '.join(dict.fromkeys(named))}")


_KERAS_LOADERS = {
    "mnist": "(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()",
    "fashion-mnist": "(x_train, y_train), (x_test, y_test) = keras.datasets.fashion_mnist.load_data()",
    "cifar-10": "(x_train, y_train), (x_test, y_test) = keras.datasets.cifar10.load_data()",
    "cifar-100": "(x_train, y_train), (x_test, y_test) = keras.datasets.cifar100.load_data()",
    "imdb": "(x_train, y_train), (x_test, y_test) = keras.datasets.imdb.load_data(num_words=5000)",
    "reuters": "(x_train, y_train), (x_test, y_test) = keras.datasets.reuters.load_data(num_words=5000)",
    "iris": "x, y = sklearn.datasets.load_iris(return_X_y=True)",
    "breast-cancer": "x, y = sklearn.datasets.load_breast_cancer(return_X_y=True)",
}
_TORCH_LOADERS = {
    name: f'data = torchvision.datasets.{kind}("data", download=True, transform=torchvision.transforms.ToTensor())'
    for name, kind in {
        "mnist": "MNIST",
        "fashion-mnist": "FashionMNIST",
        "cifar-10": "CIFAR10",
        "cifar-100": "CIFAR100",
    }.items()
} | {name: line for name, line in _KERAS_LOADERS.items() if "sklearn" in line}


def _pretrained(edit: Write, reading: Reading, framework: str) -> ProgramEdit:
    calls = re.findall(
        r"\b\w++\.from_pretrained\(\s*['\"][\w./-]{1,80}['\"]|hub\.\w+\(\s*['\"][^'\"]{1,120}['\"]", reading.report.body
    )
    weights = re.findall(
        r"\b(?:VGG16|VGG19|ResNet50|InceptionV3|MobileNet\w*|Xception|DenseNet\w*)\([^)]{0,80}imagenet",
        reading.report.body,
    )
    found = [f"{call})" for call in dict.fromkeys((*calls, *weights))]
    return edit(code="\n".join(found[:4]), needed=bool(found), why="" if found else "nothing pretrained is loaded")


def _migration(edit: Write, reading: Reading, framework: str) -> ProgramEdit:
    old = [fact for fact in reading.about(FactKind.VERSION) if _is_old(fact)]
    calls = sorted(
        set(
            re.findall(
                r"\btf\.(?:Session|placeholder|global_variables_initializer|train\.\w+Optimizer|contrib)\b",
                reading.report.body,
            )
        )
    )
    if old:
        stated = ", ".join(f"{fact.name} {fact.value}" for fact in old[:3])
        return edit(why=f"the stated releases are old: {stated}")
    if calls:
        return edit(why=f"calls of TensorFlow 1: {', '.join(calls[:4])}")
    return edit(needed=False, why="nothing requires an old release")


def _is_old(fact: Fact) -> bool:
    newest_of_old = {"tensorflow": 1, "torch": 0, "keras": 1, "python": 2}
    major = re.match(r"\d+", fact.value)
    return major is not None and fact.name in newest_of_old and int(major[0]) <= newest_of_old[fact.name]


_EDITS: dict[EditAction, Callable[[Write, Reading, str], ProgramEdit]] = {
    EditAction.INPUT_DATA_GENERATION: _data,
    EditAction.NEURAL_NETWORK_CONSTRUCTION: _network,
    EditAction.HYPERPARAMETER_INITIALIZATION: _settings,
    EditAction.IMPORT_ADDITION: _imports,
    EditAction.LOGGING: _logging,
    EditAction.OBSOLETE_PARAMETER_REMOVAL: _obsolete,
    EditAction.COMPILER_ERROR_RESOLUTION: _broken_code,
    EditAction.DATASET_PROCUREMENT: _dataset,
    EditAction.DOWNLOAD_MODELS_AND_TOKENIZERS: _pretrained,
    EditAction.VERSION_MIGRATION: _migration,
}
