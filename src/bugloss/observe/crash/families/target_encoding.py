"""Labels of another kind than the loss takes: one-hot against indices, class weights, none at all."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind

PATTERNS = (
    Pattern(
        "target-encoding",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("multi-target not supported", "multi-target"),
        r"multi-target not supported",
        plain(
            "The target must have one class index per sample in a 1D tensor; this one has a second axis.",
            "Drop it: target.squeeze(1) for a column of class indices, target.argmax(dim=1) for one-hot rows.",
        ),
        (
            Example("0D or 1D target tensor expected, multi-target not supported", ("squeeze(1)",)),
            Example("multi-target not supported at /pytorch/aten/src/THNN/generic/ClassNLLCriterion.c:22", ("argmax",)),
        ),
        confidence=0.9,
    ),
    Pattern(
        "target-encoding",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("spatial targets supported",),
        r"targets of (?:dimension|size): (?P<axes>\S+)",
        plain(
            "Per-pixel labels are class indices of shape batch × height × width; this target has the axes {axes}.",
            "Drop the channel axis, target.squeeze(1), or turn one-hot maps into class indices with "
            "target.argmax(dim=1).",
        ),
        (
            Example(
                "only batches of spatial targets supported (3D tensors) but got targets of dimension: 4",
                ("squeeze(1)",),
            ),
        ),
    ),
    Pattern(
        "class-weight-mismatch",
        CrashKind.SHAPE,
        FixPattern.LOSS_FUNCTION,
        ("weight tensor should be defined",),
        r"all (?P<classes>\d+) classes.*shape: \[(?P<weights>\d+)\]",
        plain(
            "The loss has {weights} class weights for {classes} classes.",
            "Give one weight per class: a tensor of {classes} numbers in the order of the class indices.",
        ),
        (
            Example(
                "weight tensor should be defined either for all 3 classes or no classes but got weight tensor of "
                "shape: [4]",
                ("4 class weights for 3 classes",),
            ),
        ),
    ),
    Pattern(
        "target-encoding",
        CrashKind.SHAPE,
        FixPattern.LOSS_FUNCTION,
        ("must equal `logits.shape.rank - 1`", "rank of logits minus 1", "must have rank (ndim) `target.ndim - 1`"),
        r"logits|target\.ndim",
        plain(
            "A sparse cross-entropy takes one class index per sample; these labels have as many axes as the scores.",
            "Use the cross-entropy for one-hot labels, or turn them into class indices with argmax or squeeze.",
        ),
        (
            Example(
                "Rank mismatch: Rank of labels (received 2) should equal rank of logits minus 1 (received 2).",
                (),
                "ValueError",
            ),
            Example(
                "`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape=(3, 1) of rank 2",
                (),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "missing-targets",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("Target data is missing", "the generator must return a tuple"),
        r"Target data is missing|the generator must return a tuple",
        plain(
            "The model was compiled with a loss, but training got inputs without labels.",
            "Pass labels, model.fit(x, y), or let the generator or data set yield pairs (inputs, labels).",
        ),
        (
            Example(
                "Target data is missing. Your model was compiled with loss=mse, and therefore expects target data",
                (),
                "ValueError",
            ),
            Example(
                "When passing a Python generator to a Keras model, the generator must return a tuple, either (input,) "
                "or (inputs, targets) or (inputs, targets, sample_weights). Received: [[0. 0. 0.]]",
                (),
                "ValueError",
            ),
        ),
    ),
)

FAMILY = CrashFamily("target_encoding", PATTERNS)
