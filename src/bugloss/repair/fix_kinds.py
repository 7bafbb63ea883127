"""Which fix patterns a change follows, from what it changes in the syntax tree: calls, arguments, settings, imports."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from bugloss.core.network.activation import activation
from bugloss.core.network.layer import LayerFamily, family_of, layer
from bugloss.core.network.loss import loss
from bugloss.core.network.optimizer import optimizer
from bugloss.core.python_text import parse_python
from bugloss.core.taxonomy import FixPattern

_CALLS = {  # functions whose calls are added or removed, by what such a change does
    FixPattern.DATA_DIMENSION: (
        *("reshape", "view", "permute", "transpose", "squeeze", "unsqueeze", "expand_dims", "flatten", "moveaxis"),
        *("swapaxes", "resize", "newaxis", "stack", "repeat", "tile"),
    ),
    FixPattern.DATA_TYPE: (
        *("astype", "long", "float", "int", "double", "half", "cast", "type", "as_tensor", "array", "asarray"),
    ),
    FixPattern.REGULARIZATION: (
        "Dropout",
        "Dropout1d",
        "Dropout2d",
        "SpatialDropout1D",
        "SpatialDropout2D",
        "L2",
        "l2",
    ),
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
        (r"initializer|^init$|_init$|^init_|std(?:dev)?_?init", FixPattern.INITIALIZATION),
        (r"^training$", FixPattern.API_CONTRACT),
        (r"data_format|dim_ordering", FixPattern.DATA_DIMENSION),
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
        (r"^[xy]_|^x$|^y$|train|test|^val|data|inputs?$|labels?$|images?$|indices|samples", FixPattern.DATA_WRANGLING),
    )
)  # fmt: skip
# What a function is for, by its name: a change inside it that says nothing else is of that kind.
_PURPOSES: tuple[tuple[re.Pattern[str], FixPattern], ...] = tuple(
    (re.compile(words, re.IGNORECASE), pattern)
    for words, pattern in (
        (r"loss|criterion|objective|residual", FixPattern.LOSS_FUNCTION),
        (r"^init|initiali[sz]e|reset_parameters", FixPattern.INITIALIZATION),
        (r"schedule|(?:^|_)rate$|^lr", FixPattern.OPTIMIZER),
        (r"load|read|split|prepare|dataset|batch|collate|augment|getitem|shuffle|samples", FixPattern.DATA_WRANGLING),
    )
)
_INITIALIZERS = re.compile(r"Normal|Uniform|Constant|Zeros|Ones|Orthogonal|Glorot|He(?:Normal|Uniform)|Xavier|Kaiming")


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
    for pattern, words in (*_moved(gone, come), *_patterns(gone, come)):
        found.setdefault(pattern, []).append(words)
    for atom in (*gone, *come) if not found else ():
        if atom.kind == "inside" and (purpose := _matching(_PURPOSES, atom.name)) is not None:
            found.setdefault(purpose, []).append(f"changed in {atom.name}")
    kinds = [FixKind(pattern, len(words), tuple(words[:5])) for pattern, words in found.items()]
    return tuple(sorted(kinds, key=lambda kind: -kind.weight))


def _patterns(gone: Counter[_Atom], come: Counter[_Atom]) -> Iterator[tuple[FixPattern, str]]:
    renamed = {atom for pair in _renamed(gone, come) for atom in pair}
    for words, atoms in (("removed", gone), ("added", come)):
        for atom in atoms:
            of_renamed = atom.kind == "argument" and any(atom.of == call.name for call in renamed)
            pattern = None if atom in renamed or of_renamed else _pattern_of(atom, gone, come)
            if pattern is not None:
                yield pattern, f"{words} {atom.words}"


def _moved(gone: Counter[_Atom], come: Counter[_Atom]) -> Iterator[tuple[FixPattern, str]]:
    """A call under another name with the same arguments; arguments that are passed by name instead of by place."""
    for old, new in _renamed(gone, come):
        yield FixPattern.VERSIONING, f"call {old.name} renamed to {new.name}"
    placed = [atom for atom in gone if atom.kind == "argument" and atom.name.isdigit()]
    for atom in placed:
        named = [one for one in come if (one.kind, one.of, one.value) == ("argument", atom.of, atom.value)]
        if any(not one.name.isdigit() for one in named):
            yield FixPattern.API_CONTRACT, f"argument {atom.value} of {atom.of} passed by name"
            yield FixPattern.API_CONTRACT, "instead of by place"


def _renamed(gone: Counter[_Atom], come: Counter[_Atom]) -> list[tuple[_Atom, _Atom]]:
    """Calls whose name alone changed, with at least two arguments that show that it is the same call."""
    found = []
    for old in (atom for atom in gone if atom.kind == "call"):
        given = {(one.name, one.value) for one in gone if one.kind == "argument" and one.of == old.name}
        for new in (atom for atom in come if atom.kind == "call" and len(given) > 1):
            if given == {(one.name, one.value) for one in come if one.kind == "argument" and one.of == new.name}:
                found.append((old, new))
    return found


@dataclass(frozen=True, slots=True)
class _Atom:
    """One thing that a program says: ``kind`` is call, argument, setting, name, import, axis or inside."""

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
        found.update(_inside(tree, ""))
    return found


def _inside(node: ast.AST, function: str) -> Iterator[_Atom]:
    """Every plain statement with the function, or the class of a method, that it belongs to."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            plain = child.name.startswith("__") or child.name in {"forward", "call"}
            yield from _inside(child, function if plain and function else child.name)
        elif isinstance(child, ast.Assign | ast.Return | ast.Expr | ast.AugAssign | ast.If) and function:
            test = child.test if isinstance(child, ast.If) else child
            yield _Atom("inside", function, value=ast.unparse(test)[:200])
            yield from _inside(child, function)
        else:
            yield from _inside(child, function)


def _said(node: ast.AST) -> Iterator[_Atom]:
    match node:
        case ast.Call():
            name = _last(node.func)
            yield _Atom("call", name)
            yield from (_Atom("argument", str(at), name, _shallow(one)) for at, one in enumerate(node.args))
            yield from (_Atom("argument", one.arg or "**", name, _shallow(one.value)) for one in node.keywords)
            yield from _option(node, name)
        case ast.Dict():
            items = zip(node.keys, node.values, strict=True)
            texts = [(key.value, value) for key, value in items if isinstance(key, ast.Constant)]
            yield from (_Atom("setting", key, value=_shallow(value)) for key, value in texts if isinstance(key, str))
        case ast.Subscript(slice=ast.Tuple(elts=parts)) if any(isinstance(one, ast.Constant) for one in parts):
            yield _Atom("axis", "None", value=ast.unparse(node)[:80])
        case ast.Assign(targets=[target]) if not isinstance(node.value, ast.Dict):
            yield _Atom("setting", _last(target), value=_shallow(node.value))
        case ast.ImportFrom() | ast.Import():
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            yield from (_Atom("import", alias.name, module) for alias in node.names)
        case ast.Attribute(attr=name):
            yield _Atom("name", name, _last(node.value))
        case ast.arguments():
            pairs = zip(node.args[len(node.args) - len(node.defaults) :], node.defaults, strict=True)
            yield from (_Atom("setting", one.arg, value=_shallow(value)) for one, value in pairs)


def _option(call: ast.Call, name: str) -> Iterator[_Atom]:
    """The default of an option of the command line, as a setting of its name."""
    flag = call.args[0] if call.args else None
    if name == "add_argument" and isinstance(flag, ast.Constant) and isinstance(flag.value, str):
        given = [item.value for item in call.keywords if item.arg == "default"]
        yield from (_Atom("setting", flag.value.lstrip("-"), value=_shallow(value)) for value in given)


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
    return FixPattern.DATA_DIMENSION if atom.kind == "axis" else None


def _matching(table: tuple[tuple[re.Pattern[str], FixPattern], ...], name: str) -> FixPattern | None:
    return next((pattern for words, pattern in table if words.search(name)), None)


def _part(name: str, gone: Counter[_Atom], come: Counter[_Atom]) -> FixPattern | None:
    """A loss, activation, optimizer or layer that is made or used."""
    for known, pattern in _PARTS:
        if name and known(name):
            return pattern
    if not name[:1].isupper() or layer(name) is None:
        return None
    others = [atom for atom in gone if atom.kind == "call" and layer(atom.name) is not None]
    return FixPattern.ADD_LAYER if not others else FixPattern.CHANGE_NEURAL_ARCHITECTURE


_PARTS: tuple[tuple[Callable[[str], object], FixPattern], ...] = (
    (loss, FixPattern.LOSS_FUNCTION),
    (activation, FixPattern.ACTIVATION),
    (optimizer, FixPattern.OPTIMIZER),
)


def _of_setting(atom: _Atom) -> FixPattern | None:
    if atom.of and _INITIALIZERS.search(atom.of) and layer(atom.of) is None:
        return FixPattern.INITIALIZATION
    if atom.of and not atom.name.isdigit() and family_of(atom.of) is LayerFamily.NORMALIZATION:
        return FixPattern.API_CONTRACT
    by_name = _matching(_SETTINGS, atom.name)
    if by_name is not None:
        return by_name
    if atom.of and atom.name.isdigit():
        return _of_place(atom.of)
    return None


def _of_place(function: str) -> FixPattern | None:
    """An argument by its place: the size of a layer, the name of an activation; functions take data there."""
    if function.startswith("Dropout"):
        return FixPattern.REGULARIZATION
    if layer(function) is not None and function[:1].isupper():
        of_activation = family_of(function) is LayerFamily.ACTIVATION
        return FixPattern.ACTIVATION if of_activation else FixPattern.LAYER_DIMENSION
    if layer(function) is not None:
        return None
    return _PATTERN_OF_CALL.get(function) or next((one for known, one in _PARTS if known(function)), None)
