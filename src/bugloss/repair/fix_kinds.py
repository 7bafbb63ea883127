"""Which fix patterns a change follows, from what it changes in the syntax tree: calls, arguments, settings, imports."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from bugloss.core.network.activation import activation
from bugloss.core.network.layer import layer
from bugloss.core.network.loss import loss
from bugloss.core.network.optimizer import optimizer
from bugloss.core.python_text import parse_python
from bugloss.core.taxonomy import FixPattern

_CALLS = {  # functions whose calls are added or removed, by what such a change does
    FixPattern.DATA_DIMENSION: (
        *("reshape", "view", "permute", "transpose", "squeeze", "unsqueeze", "expand_dims", "flatten", "moveaxis"),
        *("swapaxes", "resize", "newaxis", "stack", "repeat", "tile"),
    ),
    FixPattern.DATA_TYPE: ("astype", "long", "float", "int", "double", "half", "cast", "type", "as_tensor"),
    FixPattern.DEVICE: ("to", "cuda", "cpu", "register_buffer"),
    FixPattern.SEED: ("manual_seed", "set_seed", "seed", "set_random_seed", "default_rng", "Generator"),
    FixPattern.API_CONTRACT: (
        *("zero_grad", "backward", "step", "eval", "train", "compile", "detach", "clone", "build", "unscale_"),
        *("clip_grad_norm_", "super", "update", "load_state_dict", "state_dict"),
    ),
    FixPattern.PERFORMANCE: ("item", "no_grad", "inference_mode", "prefetch", "cache", "clear_session"),
    FixPattern.DATA_WRANGLING: (
        *("fit_transform", "transform", "shuffle", "permutation", "StandardScaler", "MinMaxScaler", "normalize"),
        *("train_test_split", "to_categorical", "one_hot", "nan_to_num", "dropna", "pad_sequences", "Normalize"),
    ),
    FixPattern.ITERATIONS: ("range",),
    FixPattern.NEURAL_CONNECTION: ("ModuleList", "ModuleDict", "add_module", "requires_grad_", "Concatenate", "cat"),
    FixPattern.MONITOR: ("EarlyStopping", "ModelCheckpoint", "ReduceLROnPlateau", "print", "SummaryWriter"),
    FixPattern.INITIALIZATION: ("xavier_uniform_", "xavier_normal_", "kaiming_normal_", "kaiming_uniform_", "zeros_"),
}
_PATTERN_OF_CALL = {name: pattern for pattern, names in _CALLS.items() for name in names}

# Names of arguments and variables, in the order in which they are tried.
_SETTINGS: tuple[tuple[re.Pattern[str], FixPattern], ...] = tuple(
    (re.compile(words, re.IGNORECASE), pattern)
    for words, pattern in (
        (r"initializer|^init$|_init$", FixPattern.INITIALIZATION),
        (r"regularizer|decay|dropout|keep_prob|penalty", FixPattern.REGULARIZATION),
        (r"activation", FixPattern.ACTIVATION),
        (r"metrics?$", FixPattern.ACCURACY_METRIC),
        (r"monitor|^mode$|patience|best", FixPattern.MONITOR),
        (r"loss|criterion|from_logits|reduction", FixPattern.LOSS_FUNCTION),
        (r"^lr$|learning_rate|momentum|optimi[sz]er|^betas?|^eps", FixPattern.OPTIMIZER),
        (r"epoch|batch_size|steps|iterations|accumul", FixPattern.ITERATIONS),
        (r"dtype", FixPattern.DATA_TYPE),
        (r"device|map_location", FixPattern.DEVICE),
        (r"seed|random_state|worker_init|generator", FixPattern.SEED),
        (r"shuffle|validation|split|mean|std|class_weight|augment", FixPattern.DATA_WRANGLING),
        (r"units|features|channels|filters|kernel|stride|padding|hidden", FixPattern.LAYER_DIMENSION),
        (r"input_dim|input_shape|width", FixPattern.LAYER_DIMENSION),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FixKind:
    """A pattern that a change follows, and what in the change says so; ``weight`` counts these."""

    pattern: FixPattern
    weight: int
    evidence: tuple[str, ...]


def fix_kinds(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[FixKind, ...]:
    """The patterns of a change of some files, the one with the most evidence first."""
    old, new = _atoms(before), _atoms(after)
    gone, come = old - new, new - old
    found: dict[FixPattern, list[str]] = {}
    for words, atoms in (("removed", gone), ("added", come)):
        for atom in atoms:
            pattern = _pattern_of(atom, gone, come)
            if pattern is not None:
                found.setdefault(pattern, []).append(f"{words} {atom.words}")
    kinds = [FixKind(pattern, len(words), tuple(words[:5])) for pattern, words in found.items()]
    return tuple(sorted(kinds, key=lambda kind: -kind.weight))


@dataclass(frozen=True, slots=True)
class _Atom:
    """One thing that a program says: ``kind`` is call, argument, setting, name or import."""

    kind: str
    name: str
    of: str = ""
    value: str = ""

    @property
    def words(self) -> str:
        return " ".join(filter(None, (self.kind, f"{self.of}.{self.name}" if self.of else self.name, self.value)))[:80]


def _atoms(files: Mapping[str, str]) -> Counter[_Atom]:
    found: Counter[_Atom] = Counter()
    for path, text in files.items():
        try:
            tree = parse_python(text) if path.endswith(".py") else ast.Module([], [])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            found.update(_said(node))
    return found


def _said(node: ast.AST) -> Iterator[_Atom]:
    match node:
        case ast.Call():
            name = _last(node.func)
            yield _Atom("call", name)
            yield from (_Atom("argument", str(at), name, _shallow(one)) for at, one in enumerate(node.args))
            yield from (_Atom("argument", one.arg or "**", name, _shallow(one.value)) for one in node.keywords)
        case ast.Assign(targets=[target]):
            yield _Atom("setting", _last(target), value=_shallow(node.value))
        case ast.ImportFrom() | ast.Import():
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            yield from (_Atom("import", alias.name, module) for alias in node.names)
        case ast.Attribute(attr=name):
            yield _Atom("name", name, _last(node.value))
        case ast.arguments():
            pairs = zip(node.args[len(node.args) - len(node.defaults) :], node.defaults, strict=True)
            yield from (_Atom("setting", one.arg, value=_shallow(value)) for one, value in pairs)


def _shallow(node: ast.expr) -> str:
    """An expression as far as it belongs to this place: what calls inside it say, they say themselves."""
    return f"{_last(node.func)}(…)" if isinstance(node, ast.Call) else ast.unparse(node)[:120]


def _last(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _pattern_of(atom: _Atom, gone: Counter[_Atom], come: Counter[_Atom]) -> FixPattern | None:
    if atom.kind == "import":
        return FixPattern.VERSIONING if atom in gone else None
    if atom.kind == "call":
        return _PATTERN_OF_CALL.get(atom.name) or _part(atom.name, gone, come)
    if atom.kind in ("argument", "setting"):
        return _of_setting(atom)
    return None


def _part(name: str, gone: Counter[_Atom], come: Counter[_Atom]) -> FixPattern | None:
    """A loss, activation, optimizer or layer that is made or used."""
    for known, pattern in _PARTS:
        if name and known(name):
            return pattern
    if not name or layer(name) is None:
        return None
    others = [atom for atom in gone if atom.kind == "call" and layer(atom.name) is not None]
    return FixPattern.ADD_LAYER if not others else FixPattern.CHANGE_NEURAL_ARCHITECTURE


_PARTS: tuple[tuple[Callable[[str], object], FixPattern], ...] = (
    (loss, FixPattern.LOSS_FUNCTION),
    (activation, FixPattern.ACTIVATION),
    (optimizer, FixPattern.OPTIMIZER),
)


def _of_setting(atom: _Atom) -> FixPattern | None:
    for words, pattern in _SETTINGS:
        if words.search(atom.name):
            return pattern
    if atom.of and atom.name.isdigit():
        if atom.of.startswith("Dropout"):
            return FixPattern.REGULARIZATION
        if layer(atom.of) is not None:
            return FixPattern.LAYER_DIMENSION
        return _PATTERN_OF_CALL.get(atom.of) or next((one for known, one in _PARTS if known(atom.of)), None)
    return None
