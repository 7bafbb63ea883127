"""Labels and outputs of different shapes: heads of another width, axes too many."""

from __future__ import annotations

import re

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import Shape, read_shape, show_shape

_FLATTEN = (
    "Put layers.Flatten() or layers.GlobalAveragePooling2D() before the last Dense layer; in a recurrent model leave "
    "return_sequences off in the last layer."
)


def _target_against_output(scene: Scene, match: re.Match[str]) -> CrashText:
    given = [value for value in match.groupdict().values() if value is not None]
    target, output = read_shape(given[0]), read_shape(given[1])
    if match.groupdict().get("logits") is not None:
        target, output = output, target
    evidence = (f"The labels are {show_shape(target)}, the outputs of the model {show_shape(output)}.",)
    explanation, advice, pattern = _judge(target, output)
    head = scene.made("Dense", units=output[-1] or 0) if output else None
    places = (
        (Location(head.path, head.line, 0.65, head.name or None, "the output layer is created here"),) if head else ()
    )
    return CrashText(explanation, advice, evidence, places, pattern)


def _judge(target: Shape, output: Shape) -> tuple[str, str, FixPattern]:
    """What is wrong with labels and outputs of these shapes, from their axes alone."""
    if len(output) > len(target) and len(output) > 2:
        return (
            f"The outputs of the model have {len(output)} axes, but the labels have {len(target)}.",
            _FLATTEN,
            FixPattern.ADD_LAYER,
        )
    classes = output[-1] if output else None
    columns = target[-1] if len(target) > 1 else 1
    if classes is not None and classes > 1 and columns == 1:
        return (
            f"The labels are class indices, but the model returns {classes} scores per sample.",
            f"Use sparse_categorical_crossentropy for class indices, or keras.utils.to_categorical(y, {classes}).",
            FixPattern.LOSS_FUNCTION,
        )
    if classes == 1 and columns is not None and columns > 1:
        return (
            f"The labels have {columns} columns, but the model returns one value per sample.",
            f"End the model in {columns} units, or turn one-hot labels back into class indices with argmax.",
            FixPattern.LAYER_DIMENSION,
        )
    if classes != columns and len(target) == len(output):
        return (
            f"The output layer has {classes} units, but the labels have {columns} columns.",
            f"Give the last layer {columns} units, or encode the labels with {classes} columns.",
            FixPattern.LAYER_DIMENSION,
        )
    return (
        "Labels and outputs of the model have different shapes.",
        "Give both the same shape: flatten the output before the last layer, or reshape the labels.",
        FixPattern.DATA_DIMENSION,
    )


def _unnamed_pair(scene: Scene, match: re.Match[str]) -> CrashText:
    """A loss whose message does not say which of the two shapes is whose."""
    one, two = read_shape(match["one"]), read_shape(match["two"])
    return CrashText(
        "Labels and outputs have different sizes in the loss.",
        "Give the last layer as many units as the labels have columns, or encode the labels to its width.",
        (f"The loss compares {show_shape(one)} and {show_shape(two)}.",),
    )


def _checked_target(scene: Scene, match: re.Match[str]) -> CrashText:
    """Keras 2 names the layer and what it expected of the labels."""
    layer = match["layer"]
    if match["axes"]:
        given = read_shape(match["array"])
        return CrashText(
            f"The output of {layer} has {match['axes']} axes, the labels have {len(given)}.",
            "Put Flatten() before the last Dense layer, or in a recurrent model leave return_sequences off in the last "
            "layer.",
            (f"The output of {layer} has {match['axes']} axes; the labels are {show_shape(given)}.",),
            fix_pattern=FixPattern.ADD_LAYER,
        )
    wanted, given = read_shape(match["wanted"]), read_shape(match["given"])
    explanation, advice, pattern = _judge((None, *given), (None, *wanted))
    if wanted == (1,) and given and (given[-1] or 0) > 1:
        advice = (
            "The loss takes class indices, but gets one-hot labels: use categorical_crossentropy, or y.argmax(axis=-1)."
        )
        pattern = FixPattern.LOSS_FUNCTION
    return CrashText(
        explanation,
        advice,
        (f"The output of {layer} is {show_shape(wanted)} per sample; the labels are {show_shape(given)}.",),
        (),
        pattern,
    )


def _same_size(scene: Scene, match: re.Match[str]) -> CrashText:
    target, output = read_shape(match["target"]), read_shape(match["output"])
    evidence = (f"The target is {show_shape(target)}, the output {show_shape(output)}.",)
    advice = "Give both the same shape."
    if output == (*target, 1):
        advice = "The output has one axis more: output.squeeze(1), or target.unsqueeze(1)."
    elif target == (*output, 1):
        advice = "The target has one axis more: target.squeeze(1)."
    elif len(output) == 2 and (output[-1] or 0) > 1 and len(target) == 1:
        advice = "One label per sample, but several outputs: use one output unit, or cross-entropy with class indices."
    return CrashText(
        "This loss compares element by element, so target and output need the same shape.", advice, evidence
    )


PATTERNS = (
    Pattern(
        "target-output-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("Arguments `target` and `output`",),
        r"target\.shape=(?P<target>\([^)]*\)), output\.shape=(?P<output>\([^)]*\))",
        _target_against_output,
        (
            Example(
                "Arguments `target` and `output` must have the same rank (ndim). Received: target.shape=(None, 6), "
                "output.shape=(None, 4, 4, 6)",
                ("?×4×4×6", "Flatten"),
                "ValueError",
            ),
            Example(
                "Arguments `target` and `output` must have the same shape. Received: target.shape=(4, 1), "
                "output.shape=(4, 10)",
                ("sparse_categorical_crossentropy", "to_categorical(y, 10)"),
                "ValueError",
            ),
            Example(
                "Arguments `target` and `output` must have the same shape. Received: target.shape=(4, 4), "
                "output.shape=(4, 3)",
                ("has 3 units, but the labels have 4 columns",),
                "ValueError",
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "target-output-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        (
            "are incompatible",
            "must have the same shape, received",
            "must be broadcastable",
            "except for the last dimension",
        ),
        r"Shapes (?P<target>\([^)]*\)) and (?P<output>\([^)]*\)) are incompatible"
        r"|`?logits`? and `?labels`? must have the same shape,? (?:received )?\(?(?P<logits>\([^)]*\)) vs "
        r"(?P<labels>\([^)]*\))"
        r"|logits_size=(?P<given>\[[^\]]*\]) labels_size=(?P<wanted>\[[^\]]*\])"
        r"|labels\.shape=(?P<first>\([^)]*\)) and logits\.shape=(?P<second>\([^)]*\))",
        _target_against_output,
        (
            Example("Shapes (4, 1) and (4, 10) are incompatible", ("4×1", "4×10"), "ValueError"),
            Example(
                "`logits` and `labels` must have the same shape, received ((4, 2) vs (4, 1)).",
                ("The labels are 4×1, the outputs of the model 4×2",),
                "ValueError",
            ),
            Example(
                "logits and labels must be broadcastable: logits_size=[3,5] labels_size=[3,4]",
                (),
                "InvalidArgumentError",
            ),
            Example(
                "`labels.shape` must equal `logits.shape` except for the last dimension. Received: labels.shape=(12,) "
                "and logits.shape=(4, 3)",
                ("12", "4×3"),
                "ValueError",
            ),
        ),
        confidence=0.8,
    ),
    Pattern(
        "target-output-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("Error when checking target", "Error when checking model target"),
        r"target: expected (?P<layer>\w+) to have (?:shape (?P<wanted>\([^)]*\)) but got array with shape "
        r"(?P<given>\([^)]*\))"
        r"|(?P<axes>\d+) dimensions, but got array with shape (?P<array>\([^)]*\)))",
        _checked_target,
        (
            Example(
                "Error when checking target: expected dense_9 to have shape (10,) but got array with shape (1,)",
                ("dense_9 is 10 per sample", "sparse_categorical_crossentropy"),
                "ValueError",
            ),
            Example(
                "Error when checking target: expected dense_15 to have shape (1,) but got array with shape (3,)",
                ("argmax",),
                "ValueError",
            ),
            Example(
                "Error when checking target: expected dense_3 to have 3 dimensions, but got array with shape (100, 1)",
                ("Flatten()",),
                "ValueError",
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "target-output-mismatch",
        CrashKind.SHAPE,
        FixPattern.LAYER_DIMENSION,
        ("Dimensions must be equal, but are",),
        r"(?:loss|error|entropy|SquaredDifference|CrossEntropy)[\w/]*\W.*with input shapes: (?P<one>\[[^\]]*\]), "
        r"(?P<two>\[[^\]]*\])",
        _unnamed_pair,
        (
            Example(
                "Dimensions must be equal, but are 4 and 3 for '{{node compile_loss/mse/sub}} = "
                "Sub[T=DT_FLOAT](data_1, dense_18/BiasAdd)' with input shapes: [8,4], [8,3].",
                ("8×4 and 8×3", "as many units as the labels have columns"),
                "ValueError",
            ),
        ),
        confidence=0.85,
    ),
    Pattern(
        "target-output-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("that is different to the input size", "must be the same as input size"),
        r"[Tt]arget size \((?:torch\.Size\()?(?P<target>\[[^\]]*\])\)?\) .*?input size \((?:torch\.Size\()?"
        r"(?P<output>\[[^\]]*\])",
        _same_size,
        (
            Example(
                "Using a target size (torch.Size([10])) that is different to the input size (torch.Size([10, 1])) is "
                "deprecated.",
                ("output.squeeze(1)",),
                "ValueError",
            ),
            Example(
                "Target size (torch.Size([10])) must be the same as input size (torch.Size([10, 2]))",
                ("one output unit",),
                "ValueError",
            ),
        ),
        confidence=0.9,
    ),
)

FAMILY = CrashFamily("target_shapes", PATTERNS)
