"""Calls with arguments that they do not take: the keyword, the option or the word that was meant."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from bugloss.core.edit import Edit
from bugloss.core.network.activation import ACTIVATIONS
from bugloss.core.network.loss import LOSSES
from bugloss.core.network.optimizer import OPTIMIZERS
from bugloss.core.network.table import Named
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.demand import read_demand
from bugloss.observe.crash.families.identifiers import names_in_keras
from bugloss.observe.crash.fixes.rewriting import keras_name, pass_argument, rewrite
from bugloss.observe.crash.renamed import ARGUMENTS
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import remove_argument, rename_keyword, replace_node
from bugloss.source.origins.arguments import positions_of
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, walk

_CLOSE = 0.7
# Names that arguments had in older releases of Keras: where a new one is refused, the installed release is older.
_ONCE = {
    "lr", "nb_epoch", "samples_per_epoch", "nb_val_samples", "nb_filter", "border_mode", "subsample", "init",
    "W_regularizer", "output_dim", "dim_ordering", "input", "output",
}  # fmt: skip
_OLDER = {new: old for old, new in ARGUMENTS.items() if old in _ONCE}
# Arguments that were replaced by another one, not only renamed.
_INSTEAD = {("Embedding", "weights"): "embeddings_initializer={keras}.initializers.Constant({value})"}
# What the frameworks call the same thing.
_SYNONYMS: tuple[frozenset[str], ...] = (
    frozenset({"lr", "learning_rate"}),
    frozenset({"epochs", "nb_epoch", "num_epochs", "n_epochs"}),
    frozenset({"p", "rate", "prob", "keep_prob"}),
    frozenset({"dim", "axis"}),
    frozenset({"keepdim", "keepdims"}),
    frozenset({"bias", "use_bias"}),
    frozenset({"stride", "strides"}),
    frozenset({"kernel_size", "kernel", "filter_size"}),
    frozenset({"out_features", "units", "output_dim"}),
    frozenset({"out_channels", "filters"}),
    frozenset({"num_embeddings", "input_dim", "vocab_size"}),
    frozenset({"embedding_dim", "output_dim"}),
    frozenset({"hidden_size", "units"}),
    frozenset({"betas", "beta"}),
    frozenset({"eps", "epsilon"}),
    frozenset({"batch_size", "batchsize", "bs"}),
)


def keyword(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A keyword under the name that the function has for it."""
    name = next((value for key, value in match.groupdict().items() if key.startswith("name") and value), "")
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        item = next((one for one in call.keywords if one.arg == name), None)
        if item is None:
            continue
        meant = meant_by(name, _taken(scene, file, call))
        if meant:
            return rename_keyword(file.module, item, meant)
    return None


def meant_by(name: str, known: Sequence[str]) -> str:
    """The parameter that was meant by a name: another word for it, its new name, or one that is spelt nearly so."""
    synonyms = {other for group in _SYNONYMS if name in group for other in group} - {name}
    renamed = ARGUMENTS.get(name, "")
    if not known:
        return renamed if re.fullmatch(r"\w+", renamed) else _OLDER.get(name, "")
    exact = [other for other in known if other != name and (other in synonyms or other == renamed)]
    return (exact or get_close_matches(name, set(known) - {name}, n=1, cutoff=_CLOSE) or [""])[0]


def left_out(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A keyword that the installed release of a library does not have: without it the call does what it did before."""
    name = next((value for key, value in match.groupdict().items() if key.startswith("name") and value), "")
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        item = next((one for one in call.keywords if one.arg == name), None)
        if (
            item is None
            or _is_own(file, call, match.groupdict().get("function") or "")
            or meant_by(name, _taken(scene, file, call))
        ):
            continue
        instead = _INSTEAD.get((method_of(call), name))
        keras = keras_name(file.module)
        if instead is not None and keras:
            return replace_node(file.module, item, instead.format(keras=keras, value=_first_of(file, item.value)))
        return remove_argument(file.module, call, item) if instead is None else None
    return None


def _is_own(file: CrashedFile, call: ast.Call, refusing: str) -> bool:
    """Whether a call, or the function that refused its argument, is a function, class or method of the program."""
    names = {
        getattr(node, "name", "")
        for module in file.modules
        for node in (*module.nodes[ast.FunctionDef], *module.nodes[ast.ClassDef])
    }
    return bool(({method_of(call), *refusing.split(".")} - {"__init__"}) & names)


def _first_of(file: CrashedFile, node: ast.expr) -> str:
    """The only element of a list, as it is written."""
    is_one = isinstance(node, ast.List) and len(node.elts) == 1
    return file.module.source.segment(node.elts[0] if is_one and isinstance(node, ast.List) else node)


def _taken(scene: Scene, file: CrashedFile, call: ast.Call) -> Sequence[str]:
    """The parameters of what a call calls: of the program's own function, else of the catalogue."""
    qualified = file.module.names.qualified(call.func)
    if qualified is not None:
        return scene.signature(qualified)
    functions = [node for node in file.module.nodes[ast.FunctionDef] if isinstance(node, ast.FunctionDef)]
    for node in functions:
        if node.name == method_of(call):
            return positions_of(file.module, node)
    for cls in file.module.nodes[ast.ClassDef]:
        if isinstance(cls, ast.ClassDef) and cls.name == method_of(call):
            made = [one for one in cls.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
            return positions_of(file.module, made[0]) if made else ()
    return ()


def unsorted(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``pack_padded_sequence`` takes sequences in any order with ``enforce_sorted=False``."""
    if "enforce_sorted" not in scene.text:
        return None
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        if method_of(call) in {"pack_padded_sequence", "pack_sequence"}:
            return pass_argument(file.module, call, "enforce_sorted", "False")
    return None


def spelled(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A word that is spelt nearly like one that is known: an activation, a loss, an optimizer, an allowed value."""
    known = read_demand(scene.text).choices or _words()
    for module, node in _texts(scene, file):
        word = str(node.value)
        meant = get_close_matches(word, known, n=1, cutoff=_CLOSE) if word not in known else []
        if meant and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", scene.text):
            return rewrite(module, node, f'"{meant[0]}"')
    return None


def _words() -> list[str]:
    """Every name of an activation, a loss, an optimizer or a metric."""
    rows: list[Named] = [*ACTIVATIONS, *LOSSES, *OPTIMIZERS]
    return [name for row in rows for name in (row.name, *row.names)] + list(names_in_keras("metric"))


def _texts(scene: Scene, file: CrashedFile) -> Iterator[tuple[SourceModule, ast.Constant]]:
    """The texts of the crashing line, then those that the program compiles a model with."""
    statement = file.module.statement(scene.place.line) if scene.place else None
    places = [(file.module, statement)] if statement is not None else []
    compiled = [(module, call) for module in file.modules for call in module.called("compile")]
    for module, place in (*places, *compiled):
        for node in walk(place):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
                yield module, node


def as_number(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An argument that is text becomes the number that it spells; the library's line says which argument."""
    module = file.module
    compared = set(re.findall(r"[a-z_]\w*", scene.frames[-1].text)) if scene.frames else set()
    for call in module.calls_on(scene.place.line) if scene.place else ():
        for item in call.keywords:
            if item.arg in compared:
                end = file.steps_back(module, item.value)[-1]
                literal = end.node.value if isinstance(end.node, ast.Constant) and not end.wanted else None
                if isinstance(literal, str) and re.fullmatch(r"[\d.e+-]+", literal):
                    return rewrite(end.module, end.node, literal)
                return rewrite(module, item.value, f"float({module.source.segment(item.value)})")
    return None


def key_of_parameter(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``net(**batch)`` whose batch has a key that the method spells otherwise: the argument is passed by its name."""
    module = file.module
    wrong = next((value for key, value in match.groupdict().items() if key.startswith("name") and value), "")
    for call in module.calls_on(scene.place.line) if scene.place else ():
        spread = [item for item in call.keywords if item.arg is None]
        taken = _parameters_of(file)
        if len(spread) == 1 and len(call.keywords) == 1 and not call.args and len(taken) == 1:
            return rewrite(module, spread[0], f'{taken[0]}={module.source.segment(spread[0].value)}["{wrong}"]')
    return None


def _parameters_of(file: CrashedFile) -> list[str]:
    """What the only ``forward`` or ``call`` of the program takes."""
    methods = [
        [argument.arg for argument in node.args.args[1:]]
        for module in file.modules
        for cls in module.nodes[ast.ClassDef]
        for node in walk(cls)
        if isinstance(node, ast.FunctionDef) and node.name in {"forward", "call"}
    ]
    return methods[0] if len(methods) == 1 else []
