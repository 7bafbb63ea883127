"""What has to be done to a reported snippet before it shows its bug."""

from __future__ import annotations

from typing import Any

from bugloss.core.taxonomy.label import Label
from bugloss.core.taxonomy.source import Source


class EditAction(Label):
    """The ten changes that turn a bug report's code into a program that reproduces the bug."""

    code: str
    letter: str

    def __init__(self, slug: str, *facts: Any) -> None:
        *meaning, self.code, self.letter = facts
        super().__init__(slug, *meaning)

    INPUT_DATA_GENERATION = (
        "input-data-generation",
        "Input data generation",
        "Generate input data with the shape, type and range that the report states or implies.",
        Source.DLREPRO,
        "A1",
        "D",
    )
    NEURAL_NETWORK_CONSTRUCTION = (
        "neural-network-construction",
        "Neural network construction",
        "Build or complete the network from what the report says about it.",
        Source.DLREPRO,
        "A2",
        "N",
    )
    HYPERPARAMETER_INITIALIZATION = (
        "hyperparameter-initialization",
        "Hyperparameter initialization",
        "Give values to settings that the report leaves open, such as batch size, epochs or optimizer.",
        Source.DLREPRO,
        "A3",
        "H",
    )
    IMPORT_ADDITION = (
        "import-addition",
        "Import addition",
        "Find out which packages the snippet needs, install them and write the missing imports.",
        Source.DLREPRO,
        "A4",
        "R",
    )
    LOGGING = (
        "logging",
        "Logging",
        "Print or record what shows that the reported behaviour really occurs.",
        Source.DLREPRO,
        "A5",
        "L",
    )
    OBSOLETE_PARAMETER_REMOVAL = (
        "obsolete-parameter-removal",
        "Obsolete parameter removal",
        "Drop arguments that the library release in use no longer accepts.",
        Source.DLREPRO,
        "A6",
        "O",
    )
    COMPILER_ERROR_RESOLUTION = (
        "compiler-error-resolution",
        "Compiler error resolution",
        "Repair what keeps the snippet from running and is not the bug: broken syntax, undefined names.",
        Source.DLREPRO,
        "A7",
        "C",
    )
    DATASET_PROCUREMENT = (
        "dataset-procurement",
        "Dataset procurement",
        "Download the data set that the report mentions and train on it.",
        Source.DLREPRO,
        "A8",
        "P",
    )
    DOWNLOAD_MODELS_AND_TOKENIZERS = (
        "download-models-and-tokenizers",
        "Download of models and tokenizers",
        "Fetch the pretrained weights and tokenizers that the code relies on.",
        Source.DLREPRO,
        "A9",
        "M",
    )
    VERSION_MIGRATION = (
        "version-migration",
        "Version migration",
        "Rewrite the snippet for a newer release of its library or framework.",
        Source.DLREPRO,
        "A10",
        "V",
    )
