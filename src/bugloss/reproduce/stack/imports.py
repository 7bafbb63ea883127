"""Where a name can be imported from: the usual aliases, the API catalogues, well-known names of other libraries."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from functools import cache

from bugloss.check.releases.catalogue import homes
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.program.draft import parsed
from bugloss.reproduce.stand_ins import stand_in_for
from bugloss.reproduce.words import groups, rows


@cache
def _aliases(where: str) -> dict[str, str]:
    return {name: statement for place, name, statement in rows("aliases", 3) if place == where}


@cache
def _elsewhere() -> dict[str, str]:
    """The modules of names that libraries without a catalogue offer."""
    tables = {module: names for module, names in groups("libraries").items() if " " not in module}
    return {name: module for module, names in tables.items() for name in names}


@dataclass(frozen=True, slots=True)
class Dialect:
    """The dialect of a program: its framework, and the name under which it imports Keras."""

    framework: str  # torch | keras | tensorflow
    keras: str  # keras | tensorflow.keras

    @property
    def is_torch(self) -> bool:
        return self.framework == "torch"

    @property
    def prefix(self) -> str:
        """What stands before ``.layers`` in code of ours."""
        return "tf.keras" if self.keras == "tensorflow.keras" else "keras"


def dialect(text: str, evidence: EditEvidence) -> Dialect:
    """The dialect of a program; where it is unclear, that of its report and environment."""
    if "torch" in evidence.releases:
        return Dialect("torch", "keras")
    spelled = f"{text}\n{evidence.body}"
    # What the program imports itself says more than what it is talked about.
    plain = re.search(r"^[^\S\n]*+(?:from keras\b|import keras\b)", text, re.MULTILINE)
    inside = re.search(r"\btf\.keras\b|tensorflow\.(?:python\.)?keras\b|from tensorflow import keras", spelled)
    if plain and not re.search(r"\btf\.keras\b|tensorflow\.keras\b|from tensorflow import keras", text):
        keras = "keras"
    elif re.search(
        r"\btf\.keras\b|tensorflow\.keras\b|from tensorflow import keras|^import tensorflow as tf", text, re.MULTILINE
    ):
        keras = "tensorflow.keras"
    elif evidence.releases.get("keras", "").startswith("3") or (not inside and "keras" in evidence.releases):
        keras = "keras"
    elif inside or ("keras" not in evidence.releases and "tensorflow" in evidence.releases):
        keras = "tensorflow.keras"
    else:
        keras = "keras"
    uses_keras = re.search(r"keras|Sequential|Dense|\.fit\(|layers\.", text)
    return Dialect("keras" if uses_keras else "tensorflow", keras)


def lacks(module: str, evidence: EditEvidence) -> bool:
    """Whether the environment has no such module, as far as it is known what it has."""
    known = {*evidence.modules, *sys.stdlib_module_names, "__future__"}
    return bool(evidence.modules) and module.split(".")[0] not in known


def import_for(name: str, text: str, evidence: EditEvidence) -> str | None:
    """The import that brings a name; None where no table knows it, or neither the module nor a stand-in is there."""
    statement = _import_for(name, text, evidence)
    tree = parsed(statement) if statement is not None else None
    node = tree.body[0] if tree is not None else None
    module = node.module if isinstance(node, ast.ImportFrom) else statement.split()[1] if statement else ""
    if not isinstance(node, ast.Import | ast.ImportFrom) or not lacks(module or "", evidence):
        return statement
    return statement if parsed(text) is not None and stand_in_for(node, text) is not None else None


def _import_for(name: str, text: str, evidence: EditEvidence) -> str | None:
    spoken = dialect(text, evidence)
    if statement := _by_alias(name, spoken):
        return statement
    if statement := _by_catalogue(name, spoken, evidence):
        return statement
    if name in sys.stdlib_module_names and re.search(rf"\b{name}\.{name}\b", text):
        return f"import {name}"  # datetime.datetime.now() wants the module
    if name in _elsewhere():
        return f"from {_elsewhere()[name]} import {name}"
    if name in sys.stdlib_module_names and not name.startswith("_"):
        return f"import {name}"
    return None


def _by_alias(name: str, spoken: Dialect) -> str | None:
    if name == "keras" and spoken.keras == "tensorflow.keras":
        return "from tensorflow import keras"
    if name in _aliases("any") and not (spoken.is_torch and name in {"keras"}):
        return _aliases("any")[name]
    if spoken.is_torch:
        return _aliases("torch").get(name)
    if name == "K":
        return f"from {spoken.keras} import backend as K"
    if name in groups("libraries")["modules of keras"]:
        return f"from {spoken.keras} import {name}"
    if name in groups("libraries")["data sets of keras"]:
        return f"from {spoken.keras}.datasets import {name}"
    if name == "nn":
        return "from tensorflow import nn"
    return None


def _by_catalogue(name: str, spoken: Dialect, evidence: EditEvidence) -> str | None:
    if not (name[:1].isupper() or name in groups("libraries")["functions of the frameworks"]) or len(name) < 2:
        return None
    if spoken.is_torch:
        return _best(homes("torch", name, evidence.releases["torch"]), "torch", "torch")
    found = None
    if spoken.keras == "keras" and "keras" in evidence.releases:
        found = _best(homes("keras", name, evidence.releases["keras"]), "keras", "keras")
    if found is None and "tensorflow" in evidence.releases:
        names = homes("tensorflow", name, evidence.releases["tensorflow"])
        found = _best(tuple(one for one in names if one.startswith("tensorflow.keras.")), "tensorflow.keras", "keras")
    return found


def _best(names: tuple[str, ...], root: str, table: str) -> str | None:
    ranked = [(rank, name.count("."), name) for name in names if (rank := _rank(name, root, table)) is not None]
    if not ranked:
        return None
    module, _, word = min(ranked)[2].rpartition(".")
    return f"from {module} import {word}"


def _rank(name: str, root: str, table: str) -> int | None:
    """The place of a name's module in the order of preference; None where people do not import from it."""
    module = name.rpartition(".")[0].removeprefix(root).strip(".")
    preferred = (*groups("libraries")[f"preferred in {table}"], "")
    if module in preferred:
        return preferred.index(module)
    outer = module.rpartition(".")[0]
    return len(preferred) + preferred.index(outer) if outer in preferred and outer else None
