"""Tables that are not there: which columns a program uses, and a frame that has them."""

from __future__ import annotations

import ast
import re

from bugloss.core.network.loss import Compares, losses_in
from bugloss.core.python_text import parse_python
from bugloss.reproduce.words import groups

_TARGET = re.compile(
    r"^(?:label|class|target|y|output|outcome|species|survived|diagnosis|category|result|status|is_\w+|quality|type|sentiment)s?$",
    re.I,
)
_MOST_COLUMNS = 200
_TEXT = re.compile(r"text|name|review|comment|sentence|title|tweet|description|date|time|gender|sex|country|city", re.I)


def table_code(call: ast.Call, text: str, tree: ast.Module) -> str:
    """A frame with the columns that the program uses, in the place of one that is read from a file."""
    return _frame(_named_columns(_assigned(call, tree), tree, call), text)


def _frame(columns: list[str], text: str) -> str:
    if columns:
        first = next((column for column in columns if not _TARGET.match(column) and not _TEXT.search(column)), "")
        follows = _following(_values(first), text) if first else "np.arange(200) % 2"
        inner = ", ".join(f'"{column}": {follows if _TARGET.match(column) else _values(column)}' for column in columns)
        return f"pd.DataFrame({{{inner}}})"
    numbers = f"np.random.RandomState(0).normal(size=(200, {_width(text) - 1}))"
    return f"pd.DataFrame(np.column_stack([{numbers}, {_following(f'{numbers}[:, 0]', text)}]))"


def _following(first: str, text: str) -> str:
    """A last column that follows from the first one: that nothing can be learned from noise would be our doing."""
    if re.search(r"mean_squared_error|['\"]mse['\"]|mean_absolute_error|['\"]mae['\"]|MSELoss", text):
        return f"10 * {first}"
    return f"np.argsort(np.argsort({first})) * {_kinds(text)} // 200"


def table_code_for(name: str, text: str) -> str:
    """A frame for a name that the program uses and does not read from a file."""
    tree = parse_python(text)
    columns = _named_columns(_also_called({name}, tree), tree, ast.Call(ast.Name("read_csv"), [], []))
    return _frame(columns, text)


def _assigned(call: ast.Call, tree: ast.Module) -> set[str]:
    """The names that hold the frame, also under other names."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(part is call for part in ast.walk(node.value)):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return _also_called(found, tree)


def _also_called(found: set[str], tree: ast.Module) -> set[str]:
    """The names, and those of what is taken from them."""
    found = set(found)
    for _ in range(3):
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                base = node.value
                while isinstance(base, ast.Call | ast.Attribute | ast.Subscript):
                    base = base.func if isinstance(base, ast.Call) else base.value
                if isinstance(base, ast.Name) and base.id in found:
                    found.add(node.targets[0].id)
    return found


def _named_columns(names: set[str], tree: ast.Module, call: ast.Call) -> list[str]:
    found: dict[str, None] = {}
    for keyword in call.keywords:
        if keyword.arg in {"names", "usecols"} and isinstance(keyword.value, ast.List | ast.Tuple):
            found |= {
                str(one.value): None
                for one in keyword.value.elts
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            }
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in names:
            keys = node.slice.elts if isinstance(node.slice, ast.List | ast.Tuple) else [node.slice]
            found |= {
                str(key.value): None for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in {"drop", "pop"}
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id in names
        ):
            for part in (*node.args, *(keyword.value for keyword in node.keywords)):
                for one in ast.walk(part):
                    if (
                        isinstance(one, ast.Constant)
                        and isinstance(one.value, str)
                        and one.value not in {"columns", "index", "any", "all"}
                    ):
                        found[one.value] = None
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in names
            and node.attr not in groups("usage")["frame-attributes"]
            and isinstance(node.ctx, ast.Load)
        ):
            found[node.attr] = None
    if found and all(_TARGET.match(column) or _TEXT.search(column) for column in found):
        numbers = {f"feature {place}": None for place in range(1, _declared(tree) + 1)}
        found = numbers | found if any(_TARGET.match(column) for column in found) else found
    return list(found)


def _declared(tree: ast.Module) -> int:
    """How many numbers the first layer takes; eight where it does not say."""
    stated = re.search(r"input_dim=(\d+)|input_shape=\((\d+),\)|shape=\((\d+),\)", ast.unparse(tree))
    width = int(next(filter(None, stated.groups()))) if stated is not None else 8
    return width if width <= _MOST_COLUMNS else 8


def _values(column: str) -> str:
    if _TEXT.search(column):
        return '["word %d and %d" % (place % 7, place % 3) for place in range(200)]'
    return f"np.random.RandomState({sum(map(ord, column)) % 97}).normal(size=200)"


def _width(text: str) -> int:
    """How many columns slices of the table reach for."""
    places = [
        int(number)
        for found in re.findall(r"\[\s*+:\s*+,\s*+(-?\d*+)\s*+:?\s*+(-?\d*+)\s*+\]", text)
        for number in found
        if number and not number.startswith("-")
    ]
    ends = [int(end) - 1 for end in re.findall(r"\[\s*+:\s*+,\s*+\d*+\s*+:\s*+(\d++)\s*+\]", text)]
    plain = [int(one) for one in re.findall(r"\[\s*+:\s*+,\s*+(\d++)\s*+\]", text)]
    widest = max([*plain, *ends, *(place - 1 for place in places)], default=0)
    return widest + 1 if widest > 0 else 9


def _kinds(text: str) -> int:
    """How many classes there are: as many as the last layer has units, where the loss is one for several classes."""
    units = re.findall(r"\bDense\(\s*(?:units\s*=\s*|output_dim\s*=\s*)?(\d+)", text)
    several = "softmax" in text or any(row.compares is Compares.CLASSES for row in losses_in(text))
    return int(units[-1]) if units and several and int(units[-1]) > 1 else 2
