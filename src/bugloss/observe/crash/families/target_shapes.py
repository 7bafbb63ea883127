"""Labels and outputs of different shapes: heads of another width, axes too many."""

from __future__ import annotations

import re

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, Example, Pattern, Story
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import Shape, read_shape, show_shape

_FLATTEN = (
    "Put layers.Flatten() or layers.GlobalAveragePooling2D() before the last Dense layer; in a recurrent model leave "
    "return_sequences off in the last layer."
)


def _target_against_output(scene: Scene, match: re.Match[str]) -> Story:
    given = [value for value in match.groupdict().values() if value is not None]
    target, output = read_shape(given[0]), read_shape(given[1])
    if match.groupdict().get("logits") is not None:
        target, output = output, target
    evidence = (f"The labels are {show_shape(target)}, the model gives {show_shape(output)}.",)
    explanation, advice, pattern = _judge(target, output)
    head = scene.made("Dense", units=output[-1] or 0) if output else None
    places = (Location(head.path, head.line, 0.65, head.name or None, "the last layer is made here"),) if head else ()
    return Story(explanation, advice, evidence, places, pattern)


def _judge(target: Shape, output: Shape) -> tuple[str, str, FixPattern]:
    """What is wrong with labels and outputs of these shapes, from their axes alone."""
    if len(output) > len(target) and len(output) > 2:
        return (
            f"The model gives a map of {len(output)} axes per batch where the labels have {len(target)}.",
            _FLATTEN,
            FixPattern.ADD_LAYER,
        )
    classes = output[-1] if output else None
    columns = target[-1] if len(target) > 1 else 1
    if classes is not None and classes > 1 and columns == 1:
        return (
            f"The labels are single numbers and the model gives {classes} scores a sample.",
            f"Use sparse_categorical_crossentropy for class numbers, or keras.utils.to_categorical(y, {classes}).",
            FixPattern.LOSS_FUNCTION,
        )
    if classes == 1 and columns is not None and columns > 1:
        return (
            f"The labels have {columns} columns and the model gives one number a sample.",
            f"End the model in {columns} units, or turn one-hot labels back into class numbers with argmax.",
            FixPattern.LAYER_DIMENSION,
        )
    if classes != columns and len(target) == len(output):
        return (
            f"The model ends in {classes} units and the labels have {columns} columns.",
            f"Give the last layer {columns} units, or encode the labels with {classes} columns.",
            FixPattern.LAYER_DIMENSION,
        )
    return (
        "Labels and outputs of the model have different shapes.",
        "Make them alike: flatten the output before the last layer, or reshape the labels.",
        FixPattern.DATA_DIMENSION,
    )


def _unnamed_pair(scene: Scene, match: re.Match[str]) -> Story:
    """A loss whose message does not say which of the two shapes is whose."""
    one, two = read_shape(match["one"]), read_shape(match["two"])
    return Story(
        "Inside the loss, labels and outputs of the model have different widths.",
        "Give the last layer as many units as the labels have columns, or encode the labels to its width.",
        (f"The loss compares {show_shape(one)} and {show_shape(two)}.",),
    )


def _checked_target(scene: Scene, match: re.Match[str]) -> Story:
    """Keras 2 names the layer and what it expected of the labels."""
    layer = match["layer"]
    if match["axes"]:
        given = read_shape(match["array"])
        return Story(
            f"The output of {layer} has {match['axes']} axes, the labels have {len(given)}.",
            "Put Flatten() before the last Dense layer, or in a recurrent model leave return_sequences off in the last "
            "layer.",
            (f"{layer} gives {match['axes']} axes; the labels are {show_shape(given)}.",),
            fix_pattern=FixPattern.ADD_LAYER,
        )
    wanted, given = read_shape(match["wanted"]), read_shape(match["given"])
    explanation, advice, pattern = _judge((None, *given), (None, *wanted))
    if wanted == (1,) and given and (given[-1] or 0) > 1:
        advice = (
            "The loss wants class numbers and gets one-hot labels: use categorical_crossentropy, or y.argmax(axis=-1)."
        )
        pattern = FixPattern.LOSS_FUNCTION
    return Story(
        explanation,
        advice,
        (f"{layer} gives {show_shape(wanted)} a sample; the labels are {show_shape(given)}.",),
        (),
        pattern,
    )


def _same_size(scene: Scene, match: re.Match[str]) -> Story:
    target, output = read_shape(match["target"]), read_shape(match["output"])
    evidence = (f"The target is {show_shape(target)}, the output {show_shape(output)}.",)
    advice = "Give both the same shape."
    if output == (*target, 1):
        advice = "The output has one axis more: output.squeeze(1), or target.unsqueeze(1)."
    elif target == (*output, 1):
        advice = "The target has one axis more: target.squeeze(1)."
    elif len(output) == 2 and (output[-1] or 0) > 1 and len(target) == 1:
        advice = (
            "One label a sample and several outputs: end the model in one unit, or use cross-entropy with class "
            "numbers."
        )
    return Story("This loss compares element by element and needs target and output of one shape.", advice, evidence)


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
                ("ends in 3 units and the labels have 4 columns",),
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
                ("The labels are 4×1, the model gives 4×2",),
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
                ("dense_9 gives 10 a sample", "sparse_categorical_crossentropy"),
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
                ("one unit",),
                "ValueError",
            ),
        ),
        confidence=0.9,
    ),
)

FAMILY = CrashFamily("target_shapes", PATTERNS)
