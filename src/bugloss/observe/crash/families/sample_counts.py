"""Numbers of samples that differ: rows of output against labels, inputs against labels."""

from __future__ import annotations

import re

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene


def _batches(scene: Scene, match: re.Match[str]) -> CrashText:
    outputs, targets = int(match["outputs"]), int(match["targets"])
    evidence = (f"The loss gets {outputs} outputs and {targets} labels.",)
    explanation = (
        f"The model returns {outputs} rows for {targets} labels, so samples are mixed or lost before the loss."
    )
    if outputs and targets and max(outputs, targets) % min(outputs, targets) == 0:
        factor = max(outputs, targets) // min(outputs, targets)
        advice = (
            f"{max(outputs, targets)} is {factor} × {min(outputs, targets)}: a view or reshape moved a factor of "
            f"{factor} into the batch axis. Keep the batch axis first, x.view(x.size(0), -1), and adapt the layer "
            "sizes."
        )
        return CrashText(explanation, advice, evidence, confidence=0.9)
    advice = (
        "Keep the batch first in every view and reshape, x.view(x.size(0), -1); check the collate function and the "
        "labels."
    )
    return CrashText(explanation, advice, evidence)


PATTERNS = (
    Pattern(
        "batch-size-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("to match target batch_size",),
        r"input batch_size \((?P<outputs>\d+)\) to match target batch_size \((?P<targets>\d+)\)",
        _batches,
        (
            Example(
                "Expected input batch_size (256) to match target batch_size (64).",
                ("256 is 4 × 64", "x.view(x.size(0), -1)"),
                "ValueError",
            ),
            Example(
                "Expected input batch_size (10) to match target batch_size (9).",
                ("10 outputs and 9 labels",),
                "ValueError",
            ),
        ),
        confidence=0.85,
    ),
    Pattern(
        "sample-count-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_WRANGLING,
        (
            "cardinality is ambiguous",
            "same number of samples",
            "inconsistent numbers of samples",
            "Size mismatch between tensors",
        ),
        r"sizes: (?P<inputs>\d+).*?sizes: (?P<labels>\d+)|Found (?P<first>\d+) input samples and (?P<second>\d+) target"
        r"|samples: \[(?P<one>\d+), (?P<other>\d+)\]|Size mismatch between tensors",
        plain(
            "Inputs and labels have different numbers of samples⟨: {inputs} and {labels}⟩⟨: {first} and {second}⟩⟨: "
            "{one} and {other}⟩.",
            "Cut, filter and shuffle inputs and labels together, so that both keep the same samples in the same order.",
        ),
        (
            Example(
                "Data cardinality is ambiguous:\n  x sizes: 8\n  y sizes: 7\nMake sure all arrays contain …",
                ("8 and 7",),
                "ValueError",
            ),
            Example(
                "Input arrays should have the same number of samples as target arrays. Found 8 input samples and 7 "
                "target samples.",
                ("8 and 7",),
                "ValueError",
            ),
            Example("Found input variables with inconsistent numbers of samples: [8, 7]", ("8 and 7",), "ValueError"),
            Example("Size mismatch between tensors", (), "AssertionError"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "sample-count-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_WRANGLING,
        ("are not compatible",),
        r"Dimensions (?P<first>\d+) and (?P<second>\d+) are not compatible",
        plain(
            "The arrays of a data set have {first} and {second} samples.",
            "Cut, filter and shuffle inputs and labels together, so that both keep the same samples in the same order.",
        ),
        (
            Example(
                'in user code:\n\n    File "site-packages/tensorflow/python/data/ops/dataset_ops.py", line 809, in '
                "from_tensor_slices\n"
                "        return TensorSliceDataset(tensors)\n\n    ValueError: Dimensions 3 and 4 are not compatible\n",
                ("3 and 4 samples",),
                "ValueError",
            ),
        ),
        confidence=0.95,
        through=("from_tensor_slices",),
    ),
)

FAMILY = CrashFamily("sample_counts", PATTERNS)
