"""What an undefined name is likely to stand for: each edit action looks after the kinds that are its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum
from functools import cache

from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.program.draft import parsed, undefined
from bugloss.reproduce.program.syntax import assigned_calls, flat_targets
from bugloss.reproduce.stack.imports import import_for
from bugloss.reproduce.words import groups
from bugloss.source.text.syntax import method_of
from bugloss.source.undefined_uses import NameUse

_COMPUTING = {"F", "torch", "tf", "np", "K", "nn.functional", "torch.nn.functional", "tf.nn", "tf.math"}


class NameKind(Enum):
    """What an undefined name stands for."""

    IMPORT = "import"
    DATA = "data"
    DATA_FUNCTION = "data function"  # load_data()
    DATASET_CLASS = "data set class"
    SETTING = "setting"
    DEVICE = "device"
    LOSS = "loss"
    OPTIMIZER = "optimizer"
    MODEL = "model"
    MODEL_CLASS = "model class"
    MODEL_FUNCTION = "model function"  # build_model()
    LAYER = "layer"
    HELPER = "helper"


@cache
def _pattern(group: str) -> re.Pattern[str]:
    classes = group.endswith("classes") or group == "layers-made"
    return re.compile(
        "|".join(f"(?:{word})" for word in groups("names")[group]), re.NOFLAG if classes else re.IGNORECASE
    )


def looks_like(group: str, name: str) -> bool:
    """Whether a name is one of a group: features, targets, loaders, datasets, tables, models …"""
    return _pattern(group).fullmatch(name) is not None


@cache
def _usual(group: str) -> frozenset[str]:
    return frozenset(groups("usage")[group])


def kind_of(use: NameUse, text: str, evidence: EditEvidence) -> NameKind:
    """What one undefined name stands for."""
    name = use.name
    if _is_import(use, text, evidence):
        return NameKind.IMPORT
    if name == "device" or (name.endswith("device") and not use.calls):
        return NameKind.DEVICE
    if use.calls and name[:1].isupper():
        return _class_kind(use, text)
    if looks_like("optimizers", name) and (
        {"step", "zero_grad", "minimize", "apply_gradients"} & set(use.methods) or use.arguments
    ):
        return NameKind.OPTIMIZER
    if looks_like("losses", name) or (name == "loss" and use.calls):
        return NameKind.LOSS
    if any(place in {"build_fn", "model_fn", "model_init"} for _, place in use.arguments):
        return NameKind.MODEL_FUNCTION
    if use.calls and looks_like("model-functions", name):
        return NameKind.MODEL_FUNCTION
    if _is_randomness(use):
        return NameKind.SETTING
    if _is_model(use):
        return NameKind.MODEL
    if use.calls:
        return _function_kind(use, text)
    if _is_data(use):
        return NameKind.DATA
    return NameKind.SETTING


def open_names(text: str, evidence: EditEvidence) -> dict[str, NameUse]:
    """The undefined names of a program, those that the last run stumbled over included."""
    failure = evidence.failure
    found = re.search(r"name '(\w+)' is not defined|variable '(\w+)'", failure.message) if failure is not None else None
    if found is None or failure is None or not failure.is_a("NameError"):
        return undefined(text)
    return undefined(text, frozenset({found[1] or found[2]}))


def kinds(text: str, evidence: EditEvidence) -> dict[str, NameKind]:
    """Every undefined name of a program with its kind; held-out data are data like those they are named after."""
    found = {name: kind_of(use, text, evidence) for name, use in open_names(text, evidence).items()}
    data = {stem_of(name) for name, kind in found.items() if kind is NameKind.DATA}
    parted = {stem_of(name) for name in found if stem_of(name) != name}
    for name, kind in found.items():
        if kind is NameKind.SETTING and stem_of(name) in data & parted:
            found[name] = NameKind.DATA
    return found


def names_to_define(text: str, evidence: EditEvidence) -> Iterator[tuple[NameUse, NameKind]]:
    """Every undefined name of a program, but the one that the reported failure is about."""
    uses = open_names(text, evidence)
    for name, kind in kinds(text, evidence).items():
        if not (evidence.expectation.is_about("NameError") and evidence.expectation.speaks_of(name)):
            yield uses[name], kind


_PARTS = r"(?:train|val|valid|validation|test|dev|new)"


def stem_of(name: str) -> str:
    """A name without the word that says to which part of the data it belongs."""
    return re.sub(rf"^{_PARTS}_|_{_PARTS}$", "", name)


def _is_import(use: NameUse, text: str, evidence: EditEvidence) -> bool:
    statement = import_for(use.name, text, evidence)
    if statement is None:
        return False
    if use.name in _usual("ambiguous-modules"):
        return bool(use.attributes)
    return bool(
        use.attributes or use.calls or use.is_base or use.is_decorator or use.name[:1].isupper() or use.arguments
    )


def _is_randomness(use: NameUse) -> bool:
    """A source of random numbers rather than half of a GAN."""
    named = use.name in {"generator", "rng", "gen", "random_state"}
    return named and not use.calls and not use.iterated and not set(use.methods) & _usual("model-methods")


def _is_model(use: NameUse) -> bool:
    methods = set(use.methods)
    if methods & _usual("model-methods") and not looks_like("features", use.name):
        return True
    works = methods & {"train", "eval", "to", "cuda", "predict", "evaluate", "save", "add"}
    used = use.calls or works or use.attributes & _usual("model-attributes") or use.arguments
    return looks_like("models", use.name) and bool(used)


def _is_data(use: NameUse) -> bool:
    name = use.name
    if use.iterated and not name.isupper():
        return True
    if any(isinstance(one.slice, ast.Slice | ast.Tuple) for one in use.subscripts) and not use.bounds:
        return True
    if any(method_of(call) in {"Subset", "random_split"} for call, _ in use.arguments):
        return True
    picked = any(isinstance(one.slice, ast.Name) for one in use.subscripts)
    if picked and any(method_of(call) == "len" for call, _ in use.arguments) and not looks_like("lists-of-names", name):
        return not name.isupper()
    if {"shape", "values", "iloc", "loc", "ndim"} & use.attributes or set(use.methods) & _usual("data-methods"):
        return True
    if name.isupper() and len(name) > 1 and not use.subscripts:
        return False
    if any(looks_like("models", method_of(call)) and place == 0 for call, place in use.arguments):
        return True
    if _sizes_a_layer(use):
        return False
    if any(_computes(call) and place in (0, 1, 2) for call, place in use.arguments):
        return True
    handed_on = all(isinstance(call.func, ast.Name) and call.func.id.islower() for call, _ in use.arguments)
    if (
        use.numeric
        and name.islower()
        and name.endswith("s")
        and handed_on
        and not looks_like("settings", name.removesuffix("s"))
    ):
        return True
    if _is_named_like_data(name) or looks_like("tables", name):
        return True
    places = (0, 1, "x", "y", "dataset", "validation_data", "sample_weight")
    return any(method_of(call) in _usual("data-calls") and place in places for call, place in use.arguments)


def _is_named_like_data(name: str) -> bool:
    return any(looks_like(group, name) for group in ("features", "targets", "loaders", "datasets"))


def _sizes_a_layer(use: NameUse) -> bool:
    """Whether a name is only ever an argument of layers that are being made."""
    calls = [call for call, _ in use.arguments]
    only_passed_on = bool(calls) and not use.subscripts and not use.iterated
    return only_passed_on and all(looks_like("layers-made", method_of(call)) for call in calls)


def _computes(call: ast.Call) -> bool:
    """A function of a library that computes with arrays, not one that makes them from sizes."""
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    return owner in _COMPUTING and not looks_like("makers", method_of(call))


def _class_kind(use: NameUse, text: str) -> NameKind:
    if looks_like("dataset-classes", use.name):
        return NameKind.DATASET_CLASS
    if looks_like("model-classes", use.name) or use.is_base:
        return NameKind.MODEL_CLASS
    for target in _targets_of(use, text):
        if looks_like("models", target):
            return NameKind.MODEL_CLASS
        if looks_like("datasets", target) or looks_like("loaders", target):
            return NameKind.DATASET_CLASS
    if looks_like("layer-classes", use.name):
        return NameKind.LAYER
    if any(target.startswith("self.") for target in _targets_of(use, text)):
        return NameKind.LAYER
    return NameKind.HELPER


def _function_kind(use: NameUse, text: str) -> NameKind:
    targets = _targets_of(use, text)
    if any(call.args and looks_like("models", ast.unparse(call.args[0])) for call in use.calls):
        return NameKind.HELPER  # whoever is given a network works with it
    if looks_like("model-functions", use.name) or any(looks_like("models", target) for target in targets):
        return NameKind.MODEL_FUNCTION
    loads = bool(targets) and (all(map(_is_named_like_data, targets)) or bool(re.match(r"load|read|fetch", use.name)))
    return NameKind.DATA_FUNCTION if loads or len(targets) >= 2 else NameKind.HELPER


def _targets_of(use: NameUse, text: str) -> list[str]:
    """The names that results of calling a name are given."""
    tree = parsed(text)
    places = {(call.lineno, call.col_offset) for call in use.calls}
    made = assigned_calls(tree) if tree is not None else ()
    found = [node for node, call in made if (call.lineno, call.col_offset) in places]
    return [word for node in found for target in node.targets for word in flat_targets(target)]
