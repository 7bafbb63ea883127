"""What an undefined name is likely to stand for: each edit action looks after the kinds that are its own."""

from __future__ import annotations

import ast
import re
from enum import Enum

from bugloss.reproduce.contract import Evidence
from bugloss.reproduce.draft import parsed
from bugloss.reproduce.imports import import_for
from bugloss.reproduce.unresolved import Use, undefined


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


FEATURES = re.compile(
    r"^(?:x|xs|xx|x_?\w?|inputs?|images?|imgs?|features?|data|datas|samples?|(?:train|test|val|valid|validation|new|batch)_?(?:x|data|images?|features?|inputs?|samples?|texts?|sequences?)"
    r"|x_?(?:train|test|val|valid|tr|te|data|batch|new|in|input)\w*|input_?(?:data|ids|seq|batch|tensor|image)\w*|batch_?(?:x|xs|inputs?|data)|tokens|texts?|sentences|sequences?|points|signals"
    r"|arr|array|tensor|source|src|noise|z|states?|observations?|frames?|pictures|photos|windows|readings)$",
    re.IGNORECASE,
)  # fmt: skip
TARGETS = re.compile(
    r"^(?:y|ys|yy|y_?\w?|labels?|targets?|(?:train|test|val|valid|validation|new|batch)_?(?:y|labels?|targets?|outputs?)|y_?(?:train|test|val|valid|tr|te|data|batch|true|new|out)\w*"
    r"|target_?\w*|batch_?(?:y|ys|labels?)|masks?|ground_?truth|gt|answers|tgt|trg|outputs_true|one_?hot\w*)$",
    re.IGNORECASE,
)  # fmt: skip
LOADERS = re.compile(r"(?:loader|loaders|_dl|_iter|iterator|batches|generator|_gen|datagen)$", re.IGNORECASE)
DATASETS = re.compile(
    r"(?:data_?set|_ds|trainset|testset|validset|(?:train|test|val|valid)_?set|corpus|train_ds|val_ds)$", re.IGNORECASE
)
TABLES = re.compile(r"^(?:df\w*|\w*_df|data_?frame|table|csv)$", re.IGNORECASE)
_MODELS = re.compile(
    r"^(?:\w*_?model\d*|\w*net\d*|network\d*|cnn|rnn|lstm|gru|mlp|ann|dnn|encoder|decoder|generator|discriminator|classifier|regressor|auto_?encoder|gan|vae"
    r"|backbone|resnet\w*|vgg\w*|bert|actor|critic|policy|agent|net[GD]|[GD]|ae|transformer)$", re.IGNORECASE,
)  # fmt: skip
_LOSSES = re.compile(
    r"^(?:criterion\w*|loss_?(?:fn|func|function|object|op)\w*|\w*_?criterion|objective|\w+_loss_?fn)$", re.IGNORECASE
)
_OPTIMIZERS = re.compile(
    r"^(?:optimi[sz]er\w*|opt|optim|\w+_optimi[sz]er|opt[GD]|scheduler|lr_scheduler|\w*sched)$", re.IGNORECASE
)
_SETTINGS = re.compile(
    r"(?:size|dim|dims|rate|lr|epochs?|num|nb|n|units|hidden|classes|steps?|length|len|width|height|channels?|filters|kernel|stride|dropout|momentum|decay|alpha|beta|gamma|lambda"
    r"|eps|epsilon|seed|iters?|iterations|batch|patience|factor|threshold|temperature|vocab\w*|max\w*|min\w*|total|count|layers|heads|depth|side|features_in|window|ratio|split|prob|scale"
    r"|margin|log_interval|workers|shuffle|verbose|debug|path|dir|folder|root|file\w*|name|names|columns|callbacks?|metrics|transforms?|transform|initializer|regularizer|args|opt|config|cfg|hparams|params|flags)$",
    re.IGNORECASE,
)  # fmt: skip
_MODEL_METHODS = {"fit", "compile", "parameters", "state_dict", "load_state_dict", "summary", "fit_generator", "predict_classes", "train_on_batch", "get_layer", "named_parameters", "forward", "load_weights", "trainable_variables", "trainable_weights"}  # fmt: skip
_MODEL_ATTRIBUTES = {
    "layers",
    "trainable_variables",
    "trainable_weights",
    "output",
    "classifier",
    "fc",
    "input_shape",
    "output_shape",
}
_DATA_CALLS = {"fit", "predict", "evaluate", "train_on_batch", "DataLoader", "TensorDataset", "from_tensor_slices", "train_test_split", "tensor", "from_numpy", "array", "asarray", "as_tensor", "fit_transform", "transform", "to_categorical", "reshape", "Variable", "FloatTensor", "LongTensor", "fit_generator", "flow", "convert_to_tensor", "constant", "shape", "cat", "stack", "concatenate", "backward"}  # fmt: skip
_DATA_METHODS = frozenset(
    [
        "reshape",
        "astype",
        "view",
        "head",
        "drop",
        "unsqueeze",
        "flow",
        "sum",
        "mean",
        "size",
        "dim",
        "max",
        "argmax",
        "pow",
        "sqrt",
        "float",
        "long",
        "permute",
        "numpy",
        "detach",
        "std",
        "flatten",
        "squeeze",
        "clone",
        "iloc",
        "values",
        "tolist",
    ]
)
_LAYER_MADE = re.compile(
    r"^(?:Linear|Conv\w*|Dense|LSTM\w*|GRU\w*|RNN\w*|BatchNorm\w*|LayerNorm|Embedding|Dropout\w*|MaxPool\w*|Input|Bilinear|Multihead\w*)$"
)
_MAKES = re.compile(
    r"^(?:zeros|ones|rand\w*|empty|arange|linspace|full|eye|manual_seed|seed|device|uniform|normal|set_\w+|load|save|Generator|no_grad)$"
)
_DATASET_CLASS = re.compile(r"(?:Dataset|DataSet|Data|Loader|Generator|Batches|Sequence|Reader|Folder|Corpus)$")
_MODEL_CLASS = re.compile(
    r"(?:Net|Net\d+|Network|Model|CNN|RNN|LSTM|MLP|Encoder|Decoder|Generator|Discriminator|Classifier|AE|VAE|GAN|Transformer|Regressor|Critic|Actor|Agent|UNet|ResNet\w*|VGG\w*)$"
)
_LAYER_CLASS = re.compile(r"(?:Layer|Block|Conv\w*|Attention\w*|Norm\w*|Module|Unit|Pool\w*|Embedding\w*|Head|Cell)$")
_DATA_FUNCTION = re.compile(
    r"(?:load|get|read|make|create|generate|prepare|fetch|import|sample|draw|take|record|build|next)_?\w*(?:data|dataset|images?|batch|samples?|set|table|csv|features|labels|pictures|points|signals|texts?|words|sequences|recordings|x_y)?",
    re.IGNORECASE,
)
_MODEL_FUNCTION = re.compile(
    r"^(?:build|create|make|get|define|init|baseline|setup|construct|load)_?\w*(?:model|net|network|cnn|lstm|encoder|decoder|generator|discriminator|branch)\w*$",
    re.IGNORECASE,
)
_ALIAS_NEEDS_ATTRIBUTE = {"data", "T", "models", "init", "utils", "metrics", "backend", "callbacks", "datasets", "K", "F", "dist", "optim", "transforms", "layers", "losses", "optimizers", "applications", "preprocessing", "activations", "constraints", "regularizers", "initializers", "summary", "ops", "nn", "sp", "time", "string", "token", "code", "copy", "types", "select", "queue", "parser", "operator", "random", "math", "os", "sys", "io", "re", "json", "glob", "statistics", "signal", "calendar", "numbers", "array", "test", "platform", "profile", "trace", "cmd", "site", "struct", "abc", "this", "inspect", "symbol"}  # fmt: skip


def kind_of(use: Use, text: str, evidence: Evidence) -> NameKind:
    """What one undefined name stands for."""
    name = use.name
    if _is_import(use, text, evidence):
        return NameKind.IMPORT
    if name == "device" or (name.endswith("device") and not use.calls):
        return NameKind.DEVICE
    if use.calls and name[:1].isupper():
        return _class_kind(use, text)
    if _OPTIMIZERS.match(name) and (
        {"step", "zero_grad", "minimize", "apply_gradients"} & set(use.methods) or use.arguments
    ):
        return NameKind.OPTIMIZER
    if _LOSSES.match(name) or (name == "loss" and use.calls):
        return NameKind.LOSS
    if any(place in {"build_fn", "model_fn", "model_init"} for _, place in use.arguments):
        return NameKind.MODEL_FUNCTION
    if use.calls and _MODEL_FUNCTION.match(name):
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


def open_names(text: str, evidence: Evidence) -> dict[str, Use]:
    """The undefined names of a program, those that the last run stumbled over included."""
    failure = evidence.failure
    found = re.search(r"name '(\w+)' is not defined|variable '(\w+)'", failure.message) if failure is not None else None
    also = (
        frozenset({found[1] or found[2]})
        if found and failure is not None and failure.is_a("NameError")
        else frozenset[str]()
    )
    return undefined(text, also)


def kinds(text: str, evidence: Evidence) -> dict[str, NameKind]:
    """Every undefined name of a program with its kind."""
    return {name: kind_of(use, text, evidence) for name, use in open_names(text, evidence).items()}


def _is_import(use: Use, text: str, evidence: Evidence) -> bool:
    statement = import_for(use.name, text, evidence)
    if statement is None:
        return False
    if use.name in _ALIAS_NEEDS_ATTRIBUTE:
        return bool(use.attributes)
    return bool(
        use.attributes or use.calls or use.is_base or use.is_decorator or use.name[:1].isupper() or use.arguments
    )


def _is_randomness(use: Use) -> bool:
    """A source of random numbers rather than half of a GAN."""
    named = use.name in {"generator", "rng", "gen", "random_state"}
    return named and not use.calls and not use.iterated and not set(use.methods) & _MODEL_METHODS


def _is_model(use: Use) -> bool:
    methods = set(use.methods)
    if methods & _MODEL_METHODS and not FEATURES.match(use.name):
        return True
    named = bool(_MODELS.match(use.name))
    return named and bool(
        use.calls
        or methods & {"train", "eval", "to", "cuda", "predict", "evaluate", "save", "add"}
        or use.attributes & _MODEL_ATTRIBUTES
        or use.arguments
    )


def _is_data(use: Use) -> bool:
    name = use.name
    if use.iterated and not name.isupper():
        return True
    if any(isinstance(one.slice, ast.Slice | ast.Tuple) for one in use.subscripts) and not use.bounds:
        return True
    if {"shape", "values", "iloc", "loc", "ndim"} & use.attributes or set(use.methods) & _DATA_METHODS:
        return True
    if name.isupper() and len(name) > 1 and not use.subscripts:
        return False
    if any(_MODELS.match(_called_name(call)) and place == 0 for call, place in use.arguments):
        return True
    if _sizes_a_layer(use):
        return False
    if any(_computes(call) and place in (0, 1, 2) for call, place in use.arguments):
        return True
    if use.numeric and name.islower() and name.endswith("s") and not use.arguments and not _SETTINGS.search(name):
        return True
    if (
        FEATURES.match(name)
        or TARGETS.match(name)
        or LOADERS.search(name)
        or DATASETS.search(name)
        or TABLES.match(name)
    ):
        return True
    return any(
        _called_name(call) in _DATA_CALLS and place in (0, 1, "x", "y", "dataset") for call, place in use.arguments
    )


def _sizes_a_layer(use: Use) -> bool:
    """Whether a name is only ever an argument of layers that are being made."""
    calls = [call for call, _ in use.arguments]
    return (
        bool(calls)
        and not use.subscripts
        and not use.iterated
        and all(_LAYER_MADE.match(_called_name(call)) for call in calls)
    )


def _computes(call: ast.Call) -> bool:
    """A function of a library that computes with arrays, not one that makes them from sizes."""
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    return owner in {
        "F",
        "torch",
        "tf",
        "np",
        "K",
        "nn.functional",
        "torch.nn.functional",
        "tf.nn",
        "tf.math",
    } and not _MAKES.match(_called_name(call))


def _called_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _class_kind(use: Use, text: str) -> NameKind:
    if _DATASET_CLASS.search(use.name):
        return NameKind.DATASET_CLASS
    if _MODEL_CLASS.search(use.name) or use.is_base:
        return NameKind.MODEL_CLASS
    for target in _targets_of(use, text):
        if _MODELS.match(target):
            return NameKind.MODEL_CLASS
        if DATASETS.search(target) or LOADERS.search(target):
            return NameKind.DATASET_CLASS
    if _LAYER_CLASS.search(use.name):
        return NameKind.LAYER
    if any(target.startswith("self.") for target in _targets_of(use, text)):
        return NameKind.LAYER
    return NameKind.HELPER


def _function_kind(use: Use, text: str) -> NameKind:
    targets = _targets_of(use, text)
    if _MODEL_FUNCTION.match(use.name) or any(_MODELS.match(target) for target in targets):
        return NameKind.MODEL_FUNCTION
    if targets and all(
        FEATURES.match(target) or TARGETS.match(target) or LOADERS.search(target) or DATASETS.search(target)
        for target in targets
    ):
        return NameKind.DATA_FUNCTION
    if len(targets) >= 2:
        return NameKind.DATA_FUNCTION
    if targets and re.match(r"(?:load|read|fetch)_?\w*", use.name):
        return NameKind.DATA_FUNCTION
    return NameKind.HELPER


def _targets_of(use: Use, text: str) -> list[str]:
    """The names that results of calling a name are given."""
    tree = parsed(text)
    calls = {(call.lineno, call.col_offset) for call in use.calls}
    found: list[str] = []
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if (node.value.lineno, node.value.col_offset) in calls:
                found += [word for target in node.targets for word in _words(target)]
    return found


def _words(target: ast.expr) -> list[str]:
    if isinstance(target, ast.Tuple | ast.List):
        return [word for part in target.elts for word in _words(part)]
    return [ast.unparse(target)]
