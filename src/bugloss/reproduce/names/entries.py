"""Dictionaries that a report uses and does not show: each entry gets a name of its own, and that can get a stand-in.

``dataloaders["train"]`` becomes ``train_dataloaders``, and ``config["lr"]`` becomes ``lr_config``. Tables are left
alone: their columns are another matter.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.reproduce.names.naming import looks_like
from bugloss.reproduce.program.rewriting import replace_expression
from bugloss.source.undefined_uses import NameUse

_BATCHES = re.compile(r"\w*(?:encod(?:ing|ed)s?|batch|sample|tokeni[sz]ed)\w*", re.IGNORECASE)
_GROUPS = ("loaders", "datasets", "settings")


def is_dictionary(use: NameUse, tree: ast.Module) -> bool:
    """Whether a name is only ever asked for entries by words, and is not a table."""
    kind = any(looks_like(group, use.name.removesuffix("s")) for group in _GROUPS) or _BATCHES.fullmatch(use.name)
    only_entries = bool(use.subscripts) and len(use.nodes) == len(use.subscripts)
    read = all(isinstance(one.ctx, ast.Load) for one in use.subscripts)
    return bool(kind) and only_entries and read and all(_key(one, tree) for one in use.subscripts)


def with_names(text: str, use: NameUse, tree: ast.Module) -> str:
    """The program with a name in the place of every entry; those at the end first, so that places hold."""
    places = sorted(use.subscripts, key=lambda one: (-one.lineno, -one.col_offset))
    for one in places:
        text = replace_expression(text, one, f"{_key(one, tree)}_{use.name}")
    return text


def _key(entry: ast.Subscript, tree: ast.Module) -> str:
    """The word by which an entry is asked for; of a loop over several words one, empty where it is none."""
    if isinstance(entry.slice, ast.Constant) and isinstance(entry.slice.value, str):
        return _word(entry.slice.value)
    words = list(_phases(entry.slice.id, tree)) if isinstance(entry.slice, ast.Name) else []
    return "train" if "train" in words else words[0] if words else ""


def _phases(name: str, tree: ast.Module) -> Iterator[str]:
    """The words that a loop gives a name, one after the other: ``for phase in ["train", "val"]``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and node.target.id == name:
            for one in node.iter.elts if isinstance(node.iter, ast.List | ast.Tuple) else ():
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield _word(one.value)


def _word(key: str) -> str:
    plain = re.sub(r"\W+", "_", key).strip("_")
    return plain if plain.isidentifier() else ""
