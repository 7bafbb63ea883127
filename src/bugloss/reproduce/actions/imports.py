"""Import addition and dependency resolution (A4)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.python_text import parse_python
from bugloss.core.reproduction import StandInFor
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.contract import Action, EditEvidence, EditExample, Proposal
from bugloss.reproduce.names.naming import NameKind, kinds
from bugloss.reproduce.program.draft import Draft, parsed
from bugloss.reproduce.program.rewriting import insert_import, replace_statement
from bugloss.reproduce.stack.imports import import_for, lacks
from bugloss.reproduce.stand_ins import names_of, stand_in_for

_KERAS3 = {"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"}


class ImportAddition(Action):
    """Finds out which packages a snippet needs and writes the missing imports.

    ## What it does
    Adds an import for every name that a library offers and the program does not import. A package that the environment
    lacks is replaced by a small stand-in written in NumPy, as far as there is one; what only draws or logs becomes
    silent.

    ## When it applies
    A name is undefined and the aliases, the API catalogues or the list of well-known names know it; or an import names
    a package that is not there.

    ## What it rests on
    The catalogues of the frameworks' releases: a name is imported from where the release in use has it, in the dialect
    (Keras or tf.keras) that the rest of the program uses.

    ## Example
    `model.add(Dense(3))` gets `from keras.layers import Dense`.

    ## Known problems
    A class of the reporter's own that has the name of a library's class is taken for the library's.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A4.
    """

    action = EditAction.IMPORT_ADDITION
    examples = (
        EditExample(
            "x = torch.zeros(3)\ny = F.relu(x)\n",
            "import torch\nimport torch.nn.functional as F\nx = torch.zeros(3)\ny = F.relu(x)\n",
        ),
        EditExample(
            "model = Sequential()\nmodel.add(Dense(3))\n",
            "from keras.models import Sequential\nfrom keras.layers import Dense\n"
            "model = Sequential()\nmodel.add(Dense(3))\n",
            releases=_KERAS3,
            modules=frozenset(_KERAS3),
        ),
        EditExample(
            "import tensorflow as tf\nmodel = keras.Sequential()\nmodel.add(tf.keras.layers.Dense(3))\n",
            "import tensorflow as tf\nfrom tensorflow import keras\n"
            "model = keras.Sequential()\nmodel.add(tf.keras.layers.Dense(3))\n",
            releases=_KERAS3,
            modules=frozenset(_KERAS3),
        ),
    )

    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        if parsed(program.text) is None:
            return
        about_imports = evidence.expectation.is_about("ImportError", "ModuleNotFoundError")
        for name, kind in kinds(program.text, evidence).items():
            stated = evidence.expectation.is_about("NameError") and evidence.expectation.speaks_of(name)
            statement = import_for(name, program.text, evidence)
            if kind is NameKind.IMPORT and statement is not None and not stated:
                yield Proposal(insert_import(program.text, statement), f"{name} is used, but not imported")
                return
        if not about_imports:
            yield from self._missing_packages(program, evidence)

    def _missing_packages(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        """Imports of packages that the environment does not have."""
        for statement in ast.walk(parse_python(program.text)):
            if not isinstance(statement, ast.Import | ast.ImportFrom):
                continue
            modules = (
                [alias.name for alias in statement.names]
                if isinstance(statement, ast.Import)
                else [statement.module or "."]
            )
            lacking = [module for module in modules if self._lacks(module, statement, evidence)]
            if lacking:
                yield from self._without(program, statement, lacking[0])
                return

    def _lacks(self, module: str, statement: ast.Import | ast.ImportFrom, evidence: EditEvidence) -> bool:
        return (isinstance(statement, ast.ImportFrom) and bool(statement.level)) or lacks(module, evidence)

    def _without(self, program: Draft, statement: ast.Import | ast.ImportFrom, module: str) -> Iterator[Proposal]:
        stand_in = stand_in_for(statement, program.text)
        root = module.split(".")[0]
        if stand_in is not None:
            text = replace_statement(program.text, statement.lineno, stand_in.code)
            why = f"{root} is not in the environment; a stand-in replaces it: {names_of(statement)}"
            yield Proposal(text, why, assumes=frozenset({StandInFor.DATA}) if stand_in.has_data else frozenset())
            return
        text = replace_statement(program.text, statement.lineno, "")
        comment = re.sub(r"\s+", " ", ast.unparse(statement))
        yield Proposal(
            insert_comment(text, statement.lineno, f"# {comment}: not in the environment"),
            f"{root} is not in the environment; its results are replaced",
            question=f"Which part of {root} matters for the failure?",
        )


def insert_comment(text: str, line: int, comment: str) -> str:
    """A comment on a line of its own."""
    lines = text.split("\n")
    at = min(max(line - 1, 0), len(lines))
    depth = len(lines[at]) - len(lines[at].lstrip()) if at < len(lines) else 0
    return "\n".join([*lines[:at], " " * depth + comment, *lines[at:]])
