"""Things that have a name of their own: layers, optimizers, losses, metrics, data sets, architectures, devices."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from bugloss.core.network.layer import LAYERS, KnownLayer, LayerFamily
from bugloss.core.network.loss import LOSSES
from bugloss.core.network.optimizer import OPTIMIZERS
from bugloss.core.report import Block, Fact, FactKind

# Names as people write them; case does not matter.
_DATASETS = (
    "fashion[- _]?mnist|emnist|kmnist|mnist|cifar[- _]?100|cifar[- _]?10|imagenet|imdb|reuters|boston[- _]housing|ms[- "
    "_]?coco"
    "|coco|pascal[- _]voc|voc2007|voc2012|svhn|celeba|lfw|omniglot|stl[- _]?10|caltech[- _]?\\d+|cityscapes|ade20k"
    "|kitti"
    "|wikitext[- ]?\\d*|penn treebank|ptb|ag[_ ]news|squad|glue|conll[- ]?2003|snli|multi30k|librispeech|movielens|iris"
    "|breast cancer|titanic|wine quality|cats[- _](?:and|vs)[- _]dogs|dogs[- _]vs[- _]cats|speech commands|shakespeare"
    "|pima[- a-z]{0,9}diabetes|flowers102|oxford pets|food101|jester|mpii|wmt\\d*"
)
_ARCHITECTURES = (
    "resnet[- ]?\\d*\\w?|vgg[- ]?(?:net)?\\d*|inception[- ]?(?:resnet)?[- ]?v?\\d?|mobilenet[- ]?v?\\d?|densenet[- "
    "]?\\d*"
    "|efficientnet[- ]?\\w?\\d?|alexnet|lenet[- ]?5?|squeezenet|xception|u-?net|yolo[- ]?v?\\d?\\w?|(?:fast(?:er)?"
    "|mask)[- ]?r-?cnn"
    "|ssd[- ]?mobilenet|retinanet|bert|roberta|distilbert|albert|electra|xlnet|gpt[- ]?\\d?|t5|bart|transformer|seq2seq"
    "|auto-?encoder|vae|variational auto-?encoder|dcgan|wgan|cyclegan|gan|siamese|mlp|multi-?layer perceptron"
    "|convolutional neural network|cnn|recurrent neural network|rnn|feed-?forward (?:neural )?network|perceptron"
    "|logistic regression|linear regression|dqn|deep q|actor[- ]critic|ppo|word2vec|capsnet|wavenet|tacotron\\d?"
)
_METRICS = (
    "(?:val(?:idation)?[_ ])?(?:accuracy|acc)|precision|recall|f1(?:[- _]score)?|auc|roc|mean iou|iou|map|bleu|rouge"
    "|perplexity"
    "|mae|mse|rmse|r2|confusion matrix|top-?[15] (?:accuracy|error)|dice"
)
_ACTIVATIONS = "relu6?|leaky[ _]?relu|sigmoid|tanh|softmax|log_softmax|elu|selu|gelu|swish|softplus|hard_sigmoid"
_FRAMEWORKS = (
    "pytorch|torch|tensorflow|tf\\.keras|keras|mxnet|jax|flax|theano|caffe2?|paddle(?:paddle)?|chainer|cntk|fastai"
)
_DEVICES = (
    "(?:rtx|gtx|tesla|titan|quadro|geforce)[ -]?\\w{1,8}(?: ?ti)?|cuda(?::\\d)?|gpus?|tpus?|cpu|[vap]100|k80"
    "|jetson[ -]?\\w*"
)

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_LONE_WORDS = frozenset(
    {"map", "iris", "coco", "squad", "glue", "ptb", "jester", "iou", "dice", "transformer", "elu", "roc"}
)


# Names of the tables that are also words of English: at the beginning of a sentence they are not names.
_PLAIN_WORDS = frozenset({"Normalization", "Average", "Add", "Subtract", "Multiply", "Maximum", "Minimum", "Dot"})
_CONTAINERS = ("ModuleList",)


def _names() -> dict[str, FactKind]:
    """Every name of a layer, an optimizer or a loss as programs write it; matched with its case, as a whole word."""
    layers = [name for row in LAYERS for name in (row.name, *row.names) if _is_layer_name(row, name)]
    optimizers = [name for row in OPTIMIZERS for name in (row.name, row.torch_name, row.name.lower(), *row.names)]
    spelled = (name for row in LOSSES for name in (row.name, _class_name(row.name), *row.names))
    losses = [name for name in spelled if "_" in name or not name.islower()]
    kinds = (
        (FactKind.LAYER, (*layers, *_CONTAINERS)), (FactKind.OPTIMIZER, optimizers), (FactKind.LOSS, losses),
    )  # fmt: skip
    return {name: kind for kind, names in kinds for name in names if name}


def _is_layer_name(row: KnownLayer, name: str) -> bool:
    """Activations are facts of their own kind, but for those that a report can only mean as a layer."""
    return name not in _PLAIN_WORDS and (row.family is not LayerFamily.ACTIVATION or name in _ACTIVATION_LAYERS)


_ACTIVATION_LAYERS = frozenset({"Activation", "LeakyReLU", "PReLU", "Softmax", "LogSoftmax"})


def _class_name(name: str) -> str:
    """``mean_squared_error`` as a class: ``MeanSquaredError``."""
    return "".join(part.capitalize() for part in name.split("_")) if name.islower() and "_" in name else ""


_SPOKEN = (
    (FactKind.LOSS, "(?:binary |categorical |softmax )?cross[- ]entropy|mean[- ]squared[- ]error|hinge loss"),
    (FactKind.DATASET, _DATASETS),
    (FactKind.ARCHITECTURE, _ARCHITECTURES),
    (FactKind.METRIC, _METRICS),
    (FactKind.ACTIVATION, _ACTIVATIONS),
    (FactKind.FRAMEWORK, _FRAMEWORKS),
    (FactKind.DEVICE, _DEVICES),
)
_LITERAL = re.compile(r"[a-z0-9 ]*(?![?*{])")


@cache
def _choices() -> tuple[tuple[FactKind, tuple[tuple[str, str], ...]], ...]:
    """The single expressions of each kind, each with the letters that it begins with."""
    return tuple((kind, tuple((_beginning(choice), choice) for choice in _split(words))) for kind, words in _SPOKEN)


def _beginning(choice: str) -> str:
    match = _LITERAL.match(choice)
    return match[0] if match else ""


def _split(words: str) -> Iterator[str]:
    """What stands between the bars outside of all brackets."""
    depth, start = 0, 0
    for at, sign in enumerate(words):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            yield words[start:at]
            start = at + 1
    yield words[start:]


def _patterns(body: str) -> Iterator[tuple[FactKind, re.Pattern[str]]]:
    """An expression a kind, of what can occur in the body: compiling all of them would take longer than searching."""
    folded = body.lower()
    for kind, choices in _choices():
        likely = "|".join(choice for beginning, choice in choices if beginning in folded)
        if likely:
            yield kind, re.compile(rf"(?<![\w-])({likely})(?![\w-])", re.IGNORECASE)


def find_named_things(body: str, blocks: Sequence[Block]) -> Iterator[Fact]:
    """Every name once with its first place: the hundredth Dense says nothing new."""
    seen: set[tuple[FactKind, str]] = set()
    for kind, match in _found(body):
        value = _normalised(kind, match[0])
        if (kind, value) in seen or (value in _LONE_WORDS and not _is_meant(kind, body, match)):
            continue
        seen.add((kind, value))
        yield Fact(kind, value, match.start(), match.end())


def _found(body: str) -> Iterator[tuple[FactKind, re.Match[str]]]:
    names = _names()
    for match in _IDENTIFIER.finditer(body):
        if match[0] in names:
            yield names[match[0]], match
    for kind, pattern in _patterns(body):
        yield from ((kind, match) for match in pattern.finditer(body))


def _normalised(kind: FactKind, text: str) -> str:
    if kind in {FactKind.LAYER, FactKind.LOSS, FactKind.OPTIMIZER}:
        return text
    value = re.sub(r"[ _]+", "-" if kind is FactKind.DATASET else " ", text.lower())
    same = {
        "pytorch": "torch",
        "gpus": "gpu",
        "tpus": "tpu",
        "tf.keras": "keras",
        "acc": "accuracy",
        "cifar10": "cifar-10",
    }
    same |= {"cifar100": "cifar-100", "fashionmnist": "fashion-mnist"}
    return same.get(value, value)


def _is_meant(kind: FactKind, body: str, match: re.Match[str]) -> bool:
    """A word that also means something else: what follows or precedes it must fit."""
    around = body[max(match.start() - 25, 0) : match.end() + 25].lower()
    telling = {
        FactKind.DATASET: r"data|load_|images|corpus|benchmark|train",
        FactKind.METRIC: r"metric|score|mean|calculat|comput|evaluat|\d",
        FactKind.ARCHITECTURE: r"model|encoder|decoder|network|layer",
        FactKind.ACTIVATION: r"activation|['\"(]",
    }
    return bool(re.search(telling.get(kind, ""), around))
