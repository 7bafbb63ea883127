"""dlRepro's own way to a bug's type, for comparison: by the report's tags alone.

A tag in the paper's Table 1 decides; else the pair of a tag of the report and a tag of the table that a sentence
encoder (all-MiniLM-L6-v2) finds most similar. It never answers "not deep learning".
"""

from __future__ import annotations

from collections.abc import Sequence

from bugloss.adapters.sentence_encoder import Encoder, load_encoder, similarity
from bugloss.core.errors import InvalidInput
from bugloss.core.report import Report
from bugloss.core.taxonomy import Category
from bugloss.core.triage import Alternative, TypeGuess

TAGS = {
    Category.MODEL: ("layer", "model", "activation-function"),
    Category.TENSOR: ("tensor",),
    Category.TRAINING: (
        *(
            "loss-function",
            "training-data",
            "optimization",
            "loss",
            "data-augmentation",
            "performance",
            "learning-rate",
        ),
        *("hyperparameters", "initialization", "imbalanced-data", "nan"),
    ),
    Category.GPU: ("gpu", "nvidia", "cuda"),
    Category.API: (
        *("typeerror", "valueerror", "attributeerror", "importerror", "compilererrors", "syntaxerror"),
        "modulenotfounderror",
    ),
}


def guess_type(report: Report, encoder: Encoder | None = None) -> TypeGuess:
    """The type that dlRepro would give; ``encoder`` turns tags into vectors of length one."""
    tags = [tag.lower() for tag in report.tags]
    if not tags:
        hint = "Add a line to the report, such as: Tags: keras, loss-function"
        raise InvalidInput("dlrepro classifies by tags, and the report has none.", hint=hint)
    for category, known in TAGS.items():
        if any(tag in known for tag in tags):
            return TypeGuess(category, 1.0)
    return _most_similar(tags, encoder or load_encoder("dlRepro's comparison of tags by meaning"))


def _most_similar(tags: Sequence[str], encoder: Encoder) -> TypeGuess:
    known = [(category, tag) for category, names in TAGS.items() for tag in names]
    vectors = encoder([*tags, *(tag for _, tag in known)])
    own, others = vectors[: len(tags)], vectors[len(tags) :]
    best: dict[Category, float] = {}
    for (category, _), other in zip(known, others, strict=True):
        best[category] = max(best.get(category, -1.0), *(similarity(vector, other) for vector in own))
    ranked = sorted(best, key=lambda category: -best[category])
    alternatives = tuple(Alternative(category.value, round(max(best[category], 0.0), 4)) for category in ranked[1:])
    return TypeGuess(ranked[0], round(min(max(best[ranked[0]], 0.0), 1.0), 4), alternatives)
