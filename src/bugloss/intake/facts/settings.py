"""Settings of training: ``batch_size=32``, "a learning rate of 0.001", "trained for 50 epochs"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bugloss.core.report import Block, Fact, FactKind

_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|-?\.\d+"
_SETTINGS = {
    "learning_rate": r"learning[ _-]?rate|lr|base_lr|init_lr",
    "batch_size": r"batch[ _-]?size|batchsize|bs|per_device_train_batch_size",
    "epochs": r"num[ _-]?epochs?|n[ _-]?epochs?|nb[ _-]?epochs?|max_epochs|epochs?|number of epochs",
    "momentum": r"momentum",
    "weight_decay": r"weight[ _-]?decay|l2_reg\w*",
    "dropout": r"dropout(?:[ _-]?(?:rate|prob|p))?|keep_prob",
    "num_classes": r"num[ _-]?class(?:es)?|n[ _-]?class(?:es)?|nb[ _-]?class(?:es)?|number of classes",
    "hidden_size": r"hidden[ _-]?(?:size|dim|units?)|num_hidden|n_hidden|units|latent[ _-]?dim",
    "input_size": r"input[ _-]?(?:size|dim)|in_features|in_channels|n_features|num_features",
    "output_size": r"output[ _-]?(?:size|dim)|out_features|out_channels",
    "sequence_length": r"seq(?:uence)?[ _-]?len(?:gth)?|max[ _-]?len(?:gth)?|timesteps?|time_steps?|maxlen",
    "vocabulary_size": r"vocab(?:ulary)?[ _-]?size|num_words|max_features|num_embeddings",
    "embedding_size": r"embed(?:ding)?[ _-]?(?:size|dim)|embedding_vector_length",
    "validation_split": r"validation[ _-]?split|test[ _-]?size",
    "seed": r"(?:random[ _-]?)?(?:seed|state)",
    "steps": r"steps[ _-]per[ _-]epoch|max_steps|num[ _-]?steps|training[ _-]?steps|iterations",
    "num_workers": r"num[ _-]?workers",
    "clip": r"clip(?:norm|value)|max_norm|max_grad_norm|grad(?:ient)?[ _-]clip\w*",
}
_ALTERNATIVES = "|".join(f"(?P<{name}>{words})" for name, words in _SETTINGS.items())
_SET = re.compile(
    rf"(?<![\w.-])(?:{_ALTERNATIVES})[\s'\"`*_]{{0,3}}(?:=|:|is|of|was|to|set to|as|\()\s{{0,3}}(?:about |around "
    rf")?['\"`]?"
    rf"(?P<value>{_NUMBER})",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    rf"(?<![\w.])(?P<value>{_NUMBER})[ -](?P<name>epochs?|classes|iterations|timesteps|time steps|features)\b", re.I
)
_SPOKEN_NAMES = {"epoch": "epochs", "epochs": "epochs", "classes": "num_classes", "iterations": "steps"}
_SPOKEN_NAMES |= {"timesteps": "sequence_length", "time steps": "sequence_length", "features": "input_size"}


def find_settings(body: str, blocks: Sequence[Block]) -> Iterator[Fact]:
    """Settings that are given a number."""
    for match in _SET.finditer(body):
        name = next(name for name in _SETTINGS if match[name] is not None)
        yield Fact(FactKind.HYPERPARAMETER, match["value"], match.start(), match.end(), name)
    for match in _SPOKEN.finditer(body):
        name = _SPOKEN_NAMES[match["name"].lower()]
        yield Fact(FactKind.HYPERPARAMETER, match["value"], match.start(), match.end(), name)
