"""Sums, products and comparisons of tensors whose shapes cannot be stretched to fit."""

from __future__ import annotations

import re

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape, show_shape
from bugloss.observe.crash_event import Operand


def _sizes(scene: Scene, match: re.Match[str]) -> CrashText:
    """PyTorch gives one axis and two lengths; the frame knows which tensors have them."""
    first, second, axis = int(match["first"]), int(match["second"]), int(match["axis"])
    names = [_with_size(scene, size, axis) for size in (first, second)]
    known = [f"{operand.name} ({show_shape(operand.shape)})" for operand in names if operand]
    explanation = f"Two tensors differ in axis {axis}: {first} against {second}, and neither is 1."
    evidence = (f"Tensors of this function with these lengths: {' and '.join(known)}.",) if known else ()
    shapes = [operand.shape for operand in names if operand]
    advice = "Give both the same shape before the operation; only axes of length 1 are broadcast."
    if len(shapes) == 2 and shapes[0] == shapes[1][::-1]:
        advice = "One is the transpose of the other: transpose one of them with .T or .transpose(0, 1)."
    elif abs(first - second) <= max(first, second) // 8:
        advice += " Lengths that differ by a little come from padding, pooling of odd sizes, or a smaller last batch."
    return CrashText(explanation, advice, evidence)


def _with_size(scene: Scene, size: int, axis: int) -> Operand | None:
    line = scene.place.text if scene.place else ""
    fitting = [operand for operand in scene.operands if axis < len(operand.shape) and operand.shape[axis] == size]
    return next((operand for operand in fitting if operand.name in line), fitting[0] if fitting else None)


def _shapes(scene: Scene, match: re.Match[str]) -> CrashText:
    found = [value for value in match.groupdict().values() if value is not None]
    first, second = read_shape(found[0]), read_shape(found[1])
    names = [scene.name_of(shape) for shape in (first, second)]
    shown = [
        f"{name} ({show_shape(shape)})" if name else show_shape(shape)
        for name, shape in zip(names, (first, second), strict=True)
    ]
    advice = "Give both one shape; only axes of length 1 are broadcast."
    if len(first) == len(second) == 2 and first[-1] == second[-1] and first[0] != second[0]:
        advice = (
            "They differ in the batch axis: one of them may be the whole data set, or have a fixed batch size while "
            "the last batch is smaller. Cut it with the same index as the batch."
        )
    elif len(first) > 1 and first == second[::-1]:
        advice = "One is the transpose of the other: transpose one of them."
    return CrashText(
        f"Shapes {shown[0]} and {shown[1]} cannot be combined element by element.",
        advice,
        (f"One operand is {shown[0]}, the other {shown[1]}.",),
    )


PATTERNS = (
    Pattern(
        "elementwise-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("must match the size of tensor b",),
        r"tensor a \((?P<first>\d+)\) must match the size of tensor b \((?P<second>\d+)\) at non-singleton dimension "
        r"(?P<axis>\d+)",
        _sizes,
        (
            Example(
                "The size of tensor a (27) must match the size of tensor b (28) at non-singleton dimension 2",
                ("27 against 28", "skip (8×16×28)", "pooling of odd sizes"),
                program="x = up + skip\n",
                operands=(Operand("up", (8, 16, 27), "float32"), Operand("skip", (8, 16, 28), "float32")),
            ),
            Example(
                "The size of tensor a (4) must match the size of tensor b (50) at non-singleton dimension 1",
                ("axis 1",),
            ),
        ),
    ),
    Pattern(
        "elementwise-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        (
            "Incompatible shapes:",
            "could not be broadcast together",
            "incompatible shapes for broadcasting",
            "Inputs have incompatible",
        ),
        r"Incompatible shapes: (?P<first>\[[^\]]*\]) vs\. (?P<second>\[[^\]]*\])"
        r"|broadcast together with (?:shapes|remapped shapes) \[?(?P<left>\([^)]*\)),? (?P<right>\([^)]*\))"
        r"|for broadcasting: (?P<one>\([^)]*\)), (?P<other>\([^)]*\))"
        r"|incompatible shapes\. Received shapes (?P<this>\([^)]*\)) and (?P<that>\([^)]*\))",
        _shapes,
        (
            Example("Incompatible shapes: [32,1] vs. [600,1]", ("32×1", "600×1", "batch axis"), "InvalidArgumentError"),
            Example("operands could not be broadcast together with shapes (3,) (4,) ", ("3 and 4",), "ValueError"),
            Example("Operands could not be broadcast together with shapes (3,) (5,)", ("3 and 5",), "ValueError"),
            Example("Inputs have incompatible shapes. Received shapes (3,) and (5,)", ("3 and 5",), "ValueError"),
            Example("add got incompatible shapes for broadcasting: (3,), (4,).", ("3 and 4",), "TypeError"),
        ),
    ),
    Pattern(
        "elementwise-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        (
            "Dimensions must be equal, but are",
            "Dimension incompatibility",
            "Incompatible input shapes",
            "are not compatible",
        ),
        r"Dimensions must be equal, but are (?!.*MatMul)(?P<a>\d+) and (?P<b>\d+)(?:.*with input shapes: "
        r"(?P<first>\[[^\]]*\]), "
        r"(?P<second>\[[^\]]*\]))?|Dimension incompatibility (?P<c>\d+) != (?P<d>\d+)|axis values (?P<e>\d+) \(at axis "
        r"\d+\) != "
        r"(?P<f>\d+)|Dimensions (?P<g>\d+) and (?P<h>\d+) are not compatible",
        plain(
            "Two tensors have axes of {a}{c}{e}{g} and {b}{d}{f}{h} that must be equal.",
            "Compare the two shapes⟨, {first} and {second},⟩ and change the layer or the data that gives the wrong "
            "one.",
        ),
        (
            Example(
                "Dimensions must be equal, but are 4 and 3 for '{{node branch/sub}} = Sub[T=DT_FLOAT](data_1, "
                "BiasAdd)' with input shapes: [4,4], [4,3].",
                ("4 and 3", "[4,4] and [4,3]"),
                "ValueError",
            ),
            Example("Dimension incompatibility 3 != 5. Layer shapes: (None, 3), (None, 5)", ("3 and 5",), "ValueError"),
            Example("Dimensions 3 and 4 are not compatible", ("3 and 4",), "ValueError"),
        ),
        confidence=0.75,
    ),
    Pattern(
        "broadcast-into-smaller",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("doesn't match the broadcast shape", "could not broadcast input array"),
        r"with shape (?P<target>\[[^\]]*\]) doesn't match the broadcast shape (?P<wanted>\[[^\]]*\])"
        r"|from shape (?P<source>\([^)]*\)) into shape (?P<into>\([^)]*\))",
        plain(
            "The result has shape {wanted}{source} and is written into {target}{into}.",
            "Write into a tensor of the larger shape, or take the part that fits; use a = a + b instead of a += b to "
            "make a new one.",
        ),
        (
            Example("output with shape [3] doesn't match the broadcast shape [4, 3]", ("[4, 3]", "[3]")),
            Example("output with shape [1, 28, 28] doesn't match the broadcast shape [3, 28, 28]", ("[3, 28, 28]",)),
            Example("could not broadcast input array from shape (4,) into shape (3,)", ("(4,)", "(3,)"), "ValueError"),
        ),
    ),
    Pattern(
        "elementwise-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("The expanded size of the tensor",),
        r"Target sizes: (?P<target>\[[^\]]*\])\.\s+Tensor sizes: (?P<source>\[[^\]]*\])",
        plain(
            "A tensor of {source} cannot be expanded to {target}: only axes of length 1 can.",
            "Reshape one of the two, or assign to a slice of the same shape.",
        ),
        (
            Example(
                "The expanded size of the tensor (5) must match the existing size (4) at non-singleton dimension 1.  "
                "Target sizes: [3, 5].  Tensor sizes: [3, 4]",
                ("[3, 4]", "[3, 5]"),
            ),
        ),
    ),
    Pattern(
        "mask-shape-mismatch",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("shape of the mask", "boolean index did not match"),
        r"mask (?P<mask>\[[^\]]*\]).*indexed tensor (?P<tensor>\[[^\]]*\])|boolean index did not match",
        plain(
            "A boolean mask⟨ of {mask}⟩ indexes a tensor⟨ of {tensor}⟩: their shapes differ.",
            "Make the mask from the tensor that it indexes, and filter both in the same order.",
        ),
        (
            Example(
                "The shape of the mask [4] at index 0 does not match the shape of the indexed tensor [3] at index 0",
                ("[4]", "[3]"),
                "IndexError",
            ),
            Example(
                "boolean index did not match indexed array along axis 0; size of axis is 3 but size of corresponding "
                "boolean axis is 4",
                (),
                "IndexError",
            ),
        ),
    ),
)

FAMILY = CrashFamily("elementwise_shapes", PATTERNS)
