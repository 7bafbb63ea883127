"""Sizes of layers and tensors: a number that the message names becomes the other number that it names."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import NoneType

from bugloss.core.edit import Edit, merged
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.repair.typed_edits.clash import clashing
from bugloss.repair.typed_edits.contract import CrashPlace, TypedEdit, places
from bugloss.repair.typed_edits.observed_sizes import observed_sizes
from bugloss.source.origins.bindings import FUNCTIONS
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, walk

_SIZES_OF_LAYERS = {
    "in_features", "out_features", "units", "in_channels", "out_channels", "filters", "input_size", "hidden_size",
    "num_features", "num_channels", "embedding_dim", "num_embeddings", "input_dim", "output_dim", "normalized_shape",
    "d_model", "embed_dim", "size", "n", "target_shape", "input_length", "proj_size",
}  # fmt: skip
_SIZES_OF_DATA = {
    "view", "reshape", "zeros", "ones", "full", "rand", "randn", "empty", "expand", "repeat", "Input", "InputLayer",
    "placeholder", "Reshape", "RepeatVector", "split", "chunk", "unflatten", "random_normal", "random_uniform",
    "broadcast_to", "tile", "resize", "Variable", "get_variable", "normal", "truncated_normal", "add_weight",
}  # fmt: skip
_NO_SIZES = {"dim", "axis", "batch_size", "epochs", "seed", "stride", "strides", "padding", "verbose"}
_HERE, _ELSEWHERE = 0.3, 0.18
_DATA_ELSEWHERE = 0.12  # random data made far from the crash are rarely what is wrong: the layers are to fit the data
_RANDOM = {"rand", "randn", "random_normal", "random_uniform", "normal", "truncated_normal"}
_MULTIPLE = 1.25  # times as likely: a size that is a multiple of what is written was multiplied on the way
_LATER_PAIR = 0.9  # of the likelihood, for each pair of numbers that is further down in the list
_ALONE = 1.05  # times: of layers that are written alike, one is wrong more often than all
_MOST_TIMES = 8
_NEAR = 2  # a size that is off by so much is off by a count: a border, a class, a token
_MOST = 14


@dataclass(frozen=True, slots=True, eq=False)
class _Site:
    """A place where the program writes a size."""

    module: SourceModule
    node: ast.expr
    call: ast.Call
    argument: str
    value: int
    likelihood: float


def size_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Each number that clashes, where the program writes it, becomes the one that it clashes with."""
    pairs = clashing(scene.text)
    by_value: dict[int, list[_Site]] = defaultdict(list)
    for site in _sites(scene, file):
        by_value[site.value].append(site)
    found: list[TypedEdit] = []
    for at, (size, wanted) in enumerate(pairs):
        for group in _same_calls(by_value[size]):
            sure = max(site.likelihood for site in group) * _LATER_PAIR ** (at // 2)
            sure *= _MULTIPLE if wanted % size == 0 else 1
            edits = [_resized(file, site, wanted) for site in group]
            reason = f"The message names {size} and {wanted}, which do not fit; {size} is written here."
            alone = 1.0 if len(edits) == 1 else _ALONE
            found.append(TypedEdit(merged(edits), FixPattern.LAYER_DIMENSION, sure, reason))
            # What was multiplied on the way reaches the layers further on.
            found += [TypedEdit(edit, FixPattern.LAYER_DIMENSION, sure * alone, reason) for edit in reversed(edits)]
            source = _at_source(file, group[0], wanted)
            if source is not None:
                found.append(TypedEdit(source, FixPattern.LAYER_DIMENSION, sure * 0.7, reason))
    yield from sorted(found, key=lambda one: -one.likelihood)[:_MOST]


def _same_calls(sites: Sequence[_Site]) -> list[list[_Site]]:
    """Sites that say the same in calls of the same function: they are changed together."""
    groups: dict[tuple[str, str, str, str], list[_Site]] = defaultdict(list)
    for site in sites:
        key = (site.module.path, method_of(site.call), site.argument, ast.unparse(site.node))
        groups[key].append(site)
    return list(groups.values())


def _sites(scene: Scene, file: CrashedFile) -> Iterator[_Site]:
    near = places(scene, file)
    lines = {(place.module.path, place.statement.lineno) for place in near}
    called = {ast.unparse(call.func) for place in near[:1] for call in place.calls()}
    seen: set[ast.AST] = set()
    for made in file.layers():
        for name, value in {**observed_sizes(scene, made), **made.sizes}.items():
            if name not in _SIZES_OF_LAYERS or isinstance(made.given.get(name), ast.Starred | NoneType):
                continue
            seen.add(made.given[name])
            here = (made.path, made.line) in lines or made.name in called
            here = here or (bool(scene.layer) and made.name.removeprefix("self.") == scene.layer.rsplit(".", 1)[-1])
            here = here or made.kind in scene.text
            yield _Site(made.module, made.given[name], made.call, name, value, _HERE if here else _ELSEWHERE)
    for module, call, sure in _calls(file, near):
        for argument, node in _numbers(call):
            size = file.number(module, node) if node not in seen else None
            if size is not None:
                seen.add(node)
                yield _Site(module, node, call, argument, size, sure)


def _calls(file: CrashedFile, near: Sequence[CrashPlace]) -> Iterator[tuple[SourceModule, ast.Call, float]]:
    defined = (node for module in file.modules for node in module.nodes[ast.FunctionDef] + module.nodes[ast.ClassDef])
    own = {node.name for node in defined if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for place in near:
        for call in place.calls():
            if method_of(call) in _SIZES_OF_DATA | own:
                yield place.module, call, _HERE * place.near
    for module in file.modules:
        for call in module.called(*_SIZES_OF_DATA):
            yield module, call, _DATA_ELSEWHERE if method_of(call) in _RANDOM else _ELSEWHERE


def _numbers(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Arguments that may be sizes, those in tuples one by one."""
    given = [(str(at), node) for at, node in enumerate(call.args)]
    given += [(item.arg or "", item.value) for item in call.keywords]
    for name, node in given:
        if name in _NO_SIZES:
            continue
        if isinstance(node, ast.Tuple | ast.List):
            yield from ((f"{name}.{at}", part) for at, part in enumerate(node.elts))
        elif not isinstance(node, ast.Starred):
            yield name, node


def _resized(file: CrashedFile, site: _Site, wanted: int) -> Edit:
    return rewrite(site.module, site.node, size_text(file, site.module, site.node, site.value, wanted))


def size_text(file: CrashedFile, module: SourceModule, node: ast.expr, value: int, wanted: int) -> str:
    """How the program would write a size: by its own name for it, as a multiple of the old one, or as a number."""
    if isinstance(node, ast.Constant):
        return _named(file, module, node, wanted) or str(wanted)
    plain = _without_number(module, node, value, wanted)
    if plain:
        return plain
    text = module.source.segment(node)
    whole = text if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript) else f"({text})"
    if wanted % value == 0 and wanted // value <= _MOST_TIMES:
        return f"{wanted // value} * {whole}"
    if value % wanted == 0 and value // wanted <= _MOST_TIMES:
        return f"{whole} // {value // wanted}"
    if abs(wanted - value) <= _NEAR:
        return f"{text} {'+' if wanted > value else '-'} {abs(wanted - value)}"
    return _named(file, module, node, wanted) or str(wanted)


def _without_number(module: SourceModule, node: ast.expr, value: int, wanted: int) -> str:
    """``width`` where ``2 * width`` or ``width + 1`` is written and is too much by just that."""
    if not isinstance(node, ast.BinOp):
        return ""
    for number, rest in ((node.left, node.right), (node.right, node.left)):
        if not isinstance(number, ast.Constant) or type(number.value) is not int:
            continue
        is_product = isinstance(node.op, ast.Mult) and wanted * number.value == value
        is_sum = isinstance(node.op, ast.Add) and wanted + number.value == value
        is_share = isinstance(node.op, ast.FloorDiv) and number is node.right and value * number.value == wanted
        if is_product or is_sum or is_share:
            return module.source.segment(rest)
    return ""


def _named(file: CrashedFile, module: SourceModule, node: ast.expr, wanted: int) -> str:
    """The one name that is this number where the node stands: a constant of the file, or a parameter."""
    names = {
        target.id
        for assign in module.tree.body
        if isinstance(assign, ast.Assign) and isinstance(assign.value, ast.Constant) and assign.value.value == wanted
        for target in assign.targets
        if isinstance(target, ast.Name)
    }
    function = module.enclosing(node, *FUNCTIONS)
    if isinstance(function, ast.FunctionDef):
        own = {argument.arg for argument in function.args.args}
        used = [part for part in walk(function) if isinstance(part, ast.Name) and part.id in own]
        names |= {part.id for part in used if file.number(module, part) == wanted}
    return next(iter(names)) if len(names) == 1 else ""


def _at_source(file: CrashedFile, site: _Site, wanted: int) -> Edit | None:
    """The constant behind a name: all that use it change with it."""
    if isinstance(site.node, ast.Constant):
        return None
    end = file.steps_back(site.module, site.node)[-1]
    is_number = isinstance(end.node, ast.Constant) and end.node.value == site.value
    return rewrite(end.module, end.node, str(wanted)) if is_number and end.certain else None
