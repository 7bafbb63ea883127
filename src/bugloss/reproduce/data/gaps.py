"""Names of a program that need data, and what the program expects to hold them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from bugloss.core.python_text import parse_python
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.data.spec import DataContainer
from bugloss.reproduce.names.naming import NameKind, kinds, looks_like, open_names
from bugloss.reproduce.program.syntax import assigned_calls
from bugloss.reproduce.stack.imports import Dialect, dialect
from bugloss.source.text.syntax import method_of
from bugloss.source.undefined_uses import NameUse


@dataclass(frozen=True, slots=True)
class MissingData:
    """One name that needs data: its container, and the tags of its parts."""

    name: str
    container: DataContainer
    tags: tuple[str, ...]
    line: int
    keys: tuple[str, ...] = ()
    function: bool = False
    groups: tuple[int, ...] = ()  # where the parts come in pairs: (x, y), (x, y)


def missing(text: str, evidence: EditEvidence) -> list[MissingData]:
    """The names of a program that need data."""
    spoken = dialect(text, evidence)
    found = []
    uses = open_names(text, evidence)
    for name, kind in kinds(text, evidence).items():
        if kind is NameKind.DATA:
            found.append(_missing(uses[name], text, spoken))
        elif kind is NameKind.DATA_FUNCTION:
            found.append(_missing_function(uses[name], text, spoken))
        elif kind is NameKind.DATASET_CLASS:
            container = DataContainer.DATASET if spoken.is_torch else DataContainer.LOADER
            found.append(MissingData(name, container, (f"{name}:0", f"{name}:1"), uses[name].line, function=True))
    return found


def _missing(use: NameUse, text: str, spoken: Dialect) -> MissingData:
    parts = _parts(use)
    if (looks_like("loaders", use.name) or parts > 1) and not looks_like("tables", use.name):
        keys = _keys(use)
        tags = tuple(f"{use.name}:{place}" for place in range(max(parts, len(keys), 2 if not use.iterated else 1)))
        return MissingData(use.name, DataContainer.LOADER, tags, use.line, keys)
    split = any(method_of(call) in {"Subset", "random_split"} for call, _ in use.arguments)
    if split or (looks_like("datasets", use.name) and not _is_array(use)):
        container = DataContainer.DATASET if spoken.is_torch else DataContainer.TF_DATASET
        return MissingData(use.name, container, (f"{use.name}:0", f"{use.name}:1"), use.line)
    if looks_like("tables", use.name) and not _is_array(use):
        return MissingData(use.name, DataContainer.TABLE, (use.name,), use.line)
    library = DataContainer.TENSOR if spoken.is_torch and _wants_tensor(use) else DataContainer.ARRAY
    return MissingData(use.name, library, (use.name,), use.line)


def _missing_function(use: NameUse, text: str, spoken: Dialect) -> MissingData:
    groups = max((_groups(call, text) for call in use.calls), key=len, default=(1,))
    flat = tuple(f"{use.name}:{place}" for place in range(sum(groups)))
    wants_tensor = spoken.is_torch and not re.search(r"from_numpy|torch\.tensor\(|FloatTensor\(|np\.", text)
    container = DataContainer.TENSOR if wants_tensor else DataContainer.ARRAY
    nested = groups if any(size > 1 for size in groups) else ()
    return MissingData(use.name, container, flat, use.line, function=True, groups=nested)


def _groups(call: ast.Call, text: str) -> tuple[int, ...]:
    """Into how many things the result of a call is taken apart; pairs in brackets count as two in one."""
    place = (call.lineno, call.col_offset)
    tree = parse_python(text)
    for node, made in assigned_calls(tree):
        if (made.lineno, made.col_offset) == place and isinstance(node.targets[0], ast.Tuple):
            return tuple(len(one.elts) if isinstance(one, ast.Tuple) else 1 for one in node.targets[0].elts)
    starred = [node.value for node in ast.walk(tree) if isinstance(node, ast.Starred)]
    return (1, 1) if any((one.lineno, one.col_offset) == place for one in starred) else (1,)


def _batch_name(loop: ast.For | ast.comprehension) -> ast.expr:
    """What a loop calls each element, without the number that enumerate adds."""
    counted = isinstance(loop.iter, ast.Call) and method_of(loop.iter) == "enumerate"
    return loop.target.elts[-1] if counted and isinstance(loop.target, ast.Tuple) else loop.target


def _parts(use: NameUse) -> int:
    """Into how many parts a loop takes each element apart; 1 where it does not."""
    for loop in use.iterated:
        target = _batch_name(loop)
        if isinstance(target, ast.Tuple):
            return len(target.elts)
        if isinstance(target, ast.Name) and isinstance(loop, ast.For):
            for node in ast.walk(loop):
                taken = isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == target.id
                if taken and isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
                    return len(node.targets[0].elts)
            numbers = [key for key in _subscripts(loop, target.id) if isinstance(key, int)]
            if numbers:
                return max(numbers) + 1
    return 1


def _keys(use: NameUse) -> tuple[str, ...]:
    """The keys by which a loop takes parts from a batch that is a dict."""
    for loop in use.iterated:
        target = _batch_name(loop)
        if isinstance(target, ast.Name) and isinstance(loop, ast.For):
            words = [key for key in _subscripts(loop, target.id) if isinstance(key, str)]
            if words:
                return tuple(dict.fromkeys(words))
    return ()


def _subscripts(loop: ast.For, name: str) -> list[object]:
    """The constants by which a loop takes parts from a name."""
    return [
        node.slice.value
        for node in ast.walk(loop)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        and isinstance(node.slice, ast.Constant)
    ]


def _is_array(use: NameUse) -> bool:
    return bool({"shape", "reshape", "astype"} & (use.attributes | set(use.methods))) or any(
        isinstance(one.slice, ast.Tuple) for one in use.subscripts
    )


def _wants_tensor(use: NameUse) -> bool:
    wrapped = {
        "from_numpy",
        "tensor",
        "FloatTensor",
        "LongTensor",
        "as_tensor",
        "array",
        "fit_transform",
        "train_test_split",
        "asarray",
    }
    called = {method_of(call) for call, _ in use.arguments}
    return not (called & wrapped) and "astype" not in use.methods and "values" not in use.attributes
