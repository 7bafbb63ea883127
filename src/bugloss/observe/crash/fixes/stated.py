"""What a message states outright: an argument with its value, one to pass by name, an operator or a class to use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit, merged
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import operand_text, pass_argument, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import replace_last_word, replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of, walk

_VALUE = re.compile(
    r"(?<![\w'])(?P<before>(?:[\w']{1,40}+ {1,4}+){0,3})[`'\"(]{0,4}\b(?P<name>[a-z_]\w{2,60}) ?= ?"
    r"(?P<value>True|False)\b"
)
# The words before a value that the call has now; after others the value is what the message asks for.
_HAS_NOW = re.compile(r"\b(?:when|while|because|since|got|received|is|was|has|have|given|now)\s*$", re.IGNORECASE)
_BY_NAME = re.compile(
    r"[`'\"](?P<name>[a-z_]\w*)[`'\"] (?:argument )?(?:must|should|needs to|has to) be "
    r"(?:passed|given|specified|provided) (?:as a keyword|by (?:name|keyword))"
)
_OPERATOR = re.compile(r"[Uu]se the `(?P<sign>[~^|&])`")
_CONSIDER = re.compile(r"(?:consider|[Uu]se|[Tt]ry) (?:using )?[`'\"]?(?P<name>[A-Z]\w+)[`'\"]? instead")
_SPARSE = re.compile(r"does not support sparse gradients")


def value_named(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``Set find_unused_parameters=True``, ``… refused when allow_pickle=False``: the argument is passed so."""
    for said in _VALUE.finditer(scene.text):
        wanted = said["value"]
        if _HAS_NOW.search(said["before"]):
            wanted = "False" if wanted == "True" else "True"
        for module, call in _takers(scene, file, said["name"]):
            given = keyword_of(call, said["name"])
            if given is None or (isinstance(given, ast.Constant) and str(given.value) != wanted):
                return pass_argument(module, call, said["name"], wanted)
    return None


def _takers(scene: Scene, file: CrashedFile, name: str) -> Iterator[tuple[SourceModule, ast.Call]]:
    """The calls that take an argument: of the crashing line, then those of what the message names."""
    module = file.module
    calls = module.calls_on(scene.place.line) if scene.place else []
    library = [call for call in calls if module.names.qualified(call.func)]
    known = {id(call): list(scene.signature(module.names.qualified(call.func) or "")) for call in library}
    yield from ((module, call) for call in library if name in known[id(call)] or _is_named(scene, call))
    unknown = [call for call in library if not known[id(call)]]
    named = [
        (other, call)
        for other in file.modules
        for call in other.nodes[ast.Call]
        if isinstance(call, ast.Call) and other.names.qualified(call.func) and _is_named(scene, call)
    ]
    yield from named
    if len(unknown) == 1 and not named:
        yield module, unknown[0]


def _is_named(scene: Scene, call: ast.Call) -> bool:
    name = method_of(call)
    return len(name) > 2 and bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", scene.text))


def passed_by_name(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An argument by position that a message wants by its name: in every call that passes it so."""
    said = _BY_NAME.search(scene.text)
    first = next(iter(_by_position(scene, file)), None)
    if said is None or first is None:
        return None
    calls = [call for call in file.module.called(method_of(first)) if len(call.args) == 1 and not _names(call, said)]
    same = [call for call in calls if ast.unparse(call.func) == ast.unparse(first.func)]
    texts = [(call.args[0], file.module.source.segment(call.args[0])) for call in (first, *same)]
    return merged([rewrite(file.module, node, f"{said['name']}={text}") for node, text in texts])


def _by_position(scene: Scene, file: CrashedFile) -> Iterator[ast.Call]:
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        if len(call.args) == 1 and not isinstance(call.args[0], ast.Starred) and _is_named(scene, call):
            yield call


def _names(call: ast.Call, said: re.Match[str]) -> bool:
    return keyword_of(call, said["name"]) is not None


def called_by_name(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A layer of the program takes tensors by position only: its other arguments are passed by their names."""
    if "Only input tensors may be passed as positional arguments" not in scene.text:
        return None
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        names = _parameters_of_call(file)
        is_spread = any(isinstance(one, ast.Starred) for one in call.args)
        if 1 < len(call.args) <= len(names) and not is_spread:
            values = zip(names[1:], call.args[1:], strict=False)
            plain = [(name, node) for name, node in values if isinstance(node, ast.Constant) or _is_said(scene, node)]
            edits = [
                replace_node(file.module, node, f"{name}={file.module.source.segment(node)}") for name, node in plain
            ]
            if edits and all(node in call.args[-len(edits) :] for _, node in plain):
                return merged(edits)
    return None


def _is_said(scene: Scene, node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id not in {one.name for one in scene.operands}


def _parameters_of_call(file: CrashedFile) -> list[str]:
    """What the only ``call`` of the program takes behind ``self``."""
    methods = [
        [argument.arg for argument in node.args.args[1:]]
        for module in file.modules
        for node in module.nodes[ast.FunctionDef]
        if isinstance(node, ast.FunctionDef) and node.name == "call"
    ]
    return methods[0] if len(methods) == 1 else []


def operator_named(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Masks are inverted with ``~`` and compared with ``^``: a subtraction of truth values is refused."""
    said = _OPERATOR.search(scene.text)
    statement = file.module.statement(scene.place.line) if scene.place else None
    if said is None or statement is None:
        return None
    for node in walk(statement):
        text = _with_sign(file.module, node, said["sign"])
        if text:
            return replace_node(file.module, node, text)
    return None


def _with_sign(module: SourceModule, node: ast.AST, sign: str) -> str:
    """A difference of truth values with the sign that tells them apart; empty for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and sign == "~":
        return f"~{operand_text(module, node.operand)}"
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
        return ""
    right = operand_text(module, node.right)
    from_one = isinstance(node.left, ast.Constant) and node.left.value in (1, 1.0, True)
    if sign == "~":
        return f"~{right}" if from_one else ""
    return "" if from_one else f"{operand_text(module, node.left)} {sign} {right}"


def class_named(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``SparseAdam does not support …, please consider Adam instead``: the class that stands beside it."""
    said = _CONSIDER.search(scene.text)
    for module in file.modules if said is not None else ():
        for call in module.nodes[ast.Call]:
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and said is not None:
                begins = scene.text.lstrip().startswith(call.func.attr + " ")
                if begins and module.names.qualified(call.func):
                    return replace_last_word(module, call.func, said["name"])
    return None


def dense_gradients(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An optimizer that takes no sparse gradients: the embeddings give dense ones."""
    edits = [
        pass_argument(module, call, "sparse", "False")
        for module in (file.modules if _SPARSE.search(scene.text) else ())
        for call in module.called("Embedding", "EmbeddingBag")
        if isinstance(given := keyword_of(call, "sparse"), ast.Constant) and given.value is True
    ]
    found = [edit for edit in edits if edit is not None]
    return merged(found) if found else None
