"""The broad kind of a bug."""

from __future__ import annotations

from bugloss.core.taxonomy.label import Label
from bugloss.core.taxonomy.source import Source


class Category(Label):
    """The part of a deep-learning program that is at fault, at the top of the tree of real faults."""

    MODEL = (
        "model",
        "Model",
        "The network itself is at fault: its kind, its layers, their settings or how they are connected.",
        Source.HUMBATOVA,
    )
    TENSOR = (
        "tensor",
        "Tensors & inputs",
        "A tensor or an input has a shape, type or format that does not suit the operation it enters.",
        Source.HUMBATOVA,
    )
    TRAINING = (
        "training",
        "Training",
        "The training is wrong, not the network: data preparation, loss, optimizer, hyperparameters, validation.",
        Source.HUMBATOVA,
    )
    GPU = (
        "gpu",
        "GPU usage",
        "A GPU is used wrongly: device placement, transfer, sharing between processes, parallelism or memory.",
        Source.HUMBATOVA,
    )
    API = (
        "api",
        "API",
        "A function of a framework is called wrongly, not at all, or in a way its release no longer supports.",
        Source.HUMBATOVA,
    )
    NON_DL = (
        "non-dl",
        "Not deep learning",
        "An ordinary software fault in a deep-learning system, outside its learning part.",
        Source.BUG_LOCALIZATION,
    )
