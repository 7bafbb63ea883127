"""Networks that were pasted in part: methods without their class, layers that are used and never made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.reproduce.completing.shapes import stated_shapes
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.program.draft import Draft, LineOrigin, undefined
from bugloss.reproduce.program.rewriting import first_line, insert_after, insert_before, replace_statement
from bugloss.reproduce.stack.imports import Dialect
from bugloss.reproduce.words import groups, rows

_METHODS = {"forward", "call", "__init__", "build", "training_step", "configure_optimizers", "encode", "decode"}


def loose_initialiser(text: str, tree: ast.Module, spoken: Dialect) -> str | None:
    """Lines of an ``__init__`` that were pasted alone, put into a class that applies its layers one after the other."""
    own = [
        node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("self.")
    ]
    if not own:
        return None
    if not spoken.is_torch or not re.search(r"self\.\w+\s*=\s*(?:torch\.)?nn\.", text):
        return _without_self(text, tree)
    lines = text.split("\n")
    taken = {number for node in own for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    inside = [f"        {lines[number - 1]}" for number in sorted(taken)]
    head = [
        "class Net(nn.Module):  # assumed: the layers are applied one after another",
        "    def __init__(self):",
        "        super().__init__()",
    ]
    tail = [
        "    def forward(self, x):",
        "        for layer in self.children():",
        "            x = layer(x)",
        "        return x",
    ]
    first = min(taken)
    before = [line for number, line in enumerate(lines, start=1) if number < first]
    after = [line for number, line in enumerate(lines, start=1) if number > first and number not in taken]
    return "\n".join([*before, *head, *inside, *tail, *after])


def _without_self(text: str, tree: ast.Module) -> str | None:
    """Lines of a method that were pasted alone, with plain names instead of attributes of self."""
    if any(isinstance(node, ast.ClassDef) for node in tree.body):
        return None
    return re.sub(r"\bself\.(?=\w)", "", text)


def class_around(text: str, tree: ast.Module, spoken: Dialect) -> str | None:
    """Module-level functions that take ``self`` put back into a class; None where there are none."""
    methods = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.args.args and node.args.args[0].arg == "self"
    ]
    if not methods or not any(node.name in _METHODS for node in methods):
        return None
    lines = text.split("\n")
    called = [name for name in undefined(text) if name[:1].isupper() and undefined(text)[name].calls]
    name = next(
        (one for one in called if re.search(r"Net|Model|Encoder|Decoder|Module|Classifier", one)),
        called[0] if called else "Net",
    )
    base = "nn.Module" if spoken.is_torch else f"{'tf.keras' if spoken.keras == 'tensorflow.keras' else 'keras'}.Model"
    first = min(first_line(node) for node in methods)
    taken = {number for node in methods for number in range(first_line(node), (node.end_lineno or node.lineno) + 1)}
    body = [f"class {name}({base}):  # assumed: the methods belong to a network"]
    for node in methods:
        body += [f"    {line}" if line.strip() else line for line in lines[first_line(node) - 1 : node.end_lineno]]
    rest = [line for number, line in enumerate(lines, start=1) if number not in taken]
    before = [line for number, line in enumerate(lines, start=1) if number not in taken and number < first]
    return "\n".join([*before, *_with_super(body), *rest[len(before) :]])


def _with_super(body: list[str]) -> list[str]:
    """An ``__init__`` that does not call its parent's gets the call: without its class the line was cut off, too."""
    if any("super()" in line or "super(" in line for line in body):
        return body
    for place, line in enumerate(body):
        if re.match(r"\s+def __init__\(", line) and line.rstrip().endswith(":"):
            return [*body[: place + 1], "        super().__init__()", *body[place + 1 :]]
    return body


def missing_submodules(program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[tuple[str, str]]:
    """Parts of a network that its methods use and its class never makes, as edits."""
    for node in tree.body:
        is_network = isinstance(node, ast.ClassDef) and any(
            re.search(r"Module|Model|Layer", ast.unparse(base)) for base in node.bases
        )
        if (
            not is_network
            or not isinstance(node, ast.ClassDef)
            or program.origin(node.body[-1].lineno) is LineOrigin.OURS
        ):
            continue
        made = {
            part.attr
            for part in ast.walk(node)
            if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and _is_self(part.value)
        }
        made |= {
            part.id
            for one in node.body
            for part in ast.walk(one)
            if isinstance(part, ast.Name) and isinstance(one, ast.Assign)
        }
        defined = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        there = {*made, *defined, *groups("usage")["inherited"]}
        lacking = [one for one in _called_parts(node) if one[0] not in there]
        if lacking:
            names = ", ".join(name for name, _ in lacking)
            yield (
                _with_parts(program.text, node, lacking, evidence),
                f"{node.name} uses {names}, but nothing defines them",
            )
            return


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _called_parts(node: ast.ClassDef) -> list[tuple[str, str]]:
    """Attributes of self that methods use: each with the way it is used, ``call`` or ``value``."""
    found: dict[str, str] = {}
    calls = {id(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}
    uses = [
        part
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and _is_self(part.value) and isinstance(part.ctx, ast.Load)
    ]
    # What stands further right in a line is inside the call on its left, and comes first.
    for part in sorted(uses, key=lambda one: (one.lineno, -one.col_offset)):
        found.setdefault(part.attr, "call" if id(part) in calls else "value")
    return list(found.items())


def _with_parts(text: str, node: ast.ClassDef, lacking: list[tuple[str, str]], evidence: EditEvidence) -> str:
    initialiser = next(
        (part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"), None
    )
    remark = "  # assumed: the report does not show it"
    made = [f"self.{name} = {code}{remark}" for name, code in _parts(lacking, evidence)]
    if initialiser is None:
        code = "\n".join(
            ["def __init__(self, *arguments, **options):", "    super().__init__()", *(f"    {line}" for line in made)]
        )
        return insert_before(text, node.body[0].lineno, code)
    last = initialiser.body[-1]
    if isinstance(last, ast.Pass) or (isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant)):
        return replace_statement(text, last.lineno, "\n".join(made))
    place = insert_before if len(initialiser.body) > 1 else insert_after
    return place(text, last.lineno, "\n".join(made))


def _parts(lacking: list[tuple[str, str]], evidence: EditEvidence) -> list[tuple[str, str]]:
    """Layers for names, in the order of their use: channels follow on, the last linear one gives the classes."""
    stated, exception = stated_shapes(evidence), evidence.expectation.exception
    channels = stated.shape[2] if stated.shape is not None and len(stated.shape) == 3 else 3
    linear = [name for name, way in lacking if way == "call" and _by_name("layer", name, "nn.Identity()") == _LINEAR]
    found = []
    for name, way in lacking:
        code = (
            _by_name("value", name, "None")
            if way == "value"
            else _by_name("layer", name, "nn.Identity()")
            if "torch" in evidence.releases
            else "keras.layers.Dense(16)"
        )
        sizes = re.search(r"\(\d+x\d+ and (\d+)x(\d+)\)", exception.message) if exception is not None else None
        if sizes and exception is not None and f"self.{name}(" in exception.place:
            code = f"nn.Linear({sizes[1]}, {sizes[2]})"
        elif code == _CONVOLUTION:
            code, channels = f"nn.Conv2d({channels}, 16, 3, padding=1)", 16
        elif code == _LINEAR and name == linear[-1]:
            code = f"nn.LazyLinear({stated.classes or 10})"
        found.append((name, code))
    return found


_CONVOLUTION, _LINEAR = "nn.LazyConv2d(16, 3, padding=1)", "nn.LazyLinear(32)"


def _by_name(kind: str, name: str, otherwise: str) -> str:
    """The code of the table's first line whose pattern an attribute's name has in it."""
    found = ((code, pattern) for what, code, pattern in rows("attributes", 3) if what == kind)
    return next((code for code, pattern in found if re.search(pattern, name, re.IGNORECASE)), otherwise)
